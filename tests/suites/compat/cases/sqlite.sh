# level: core
sqlite3 scratch/t.db <<'EOF'
pragma journal_mode=wal;
create table t(id integer primary key, x text);
with recursive n(i) as (select 1 union all select i+1 from n where i<5000) insert into t(x) select 'row '||i from n;
create index x on t(x);
select count(*), max(x), sum(length(x)) from t;
begin; delete from t where id%3=0; rollback; select count(*) from t;
select x from t where x like 'row 49%' order by id limit 3;
pragma integrity_check;
EOF
for i in 1 2 3; do sqlite3 -cmd '.timeout 20000' scratch/t.db "insert into t(x) values('from $i')" & done
wait; sqlite3 scratch/t.db "select count(*) from t where x like 'from%'"
sqlite3 scratch/t.db 'select nothing from nowhere'; echo $?
