# Random numbers, sums of floats, and the bytes of a database.
sqlite3 /tmp/numbers.db <<'Q'
create table t(a integer primary key, b real, c text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
insert into t select i, sin(i) / i, hex(randomblob(4)) from n;
create index by_text on t(c);
select sum(b), avg(b), total(b * b), max(c), random(), datetime('now') from t;
select c, b from t order by c limit 5;
Q
sha256sum /tmp/numbers.db
