# level: core
cat >t.rb <<'EOF'
require 'open3'; require 'tempfile'; require 'socket'; require 'digest'; require 'timeout'
$stdout.sync = true
q = Queue.new; ts = 10.times.map { |i| Thread.new { 10.times { |k| q << i * k } } }; ts.each(&:join); s = 0
s += q.pop until q.empty?; puts s
puts Open3.capture3('sh -c "cat; echo e >&2; exit 3"', stdin_data: 'in').map(&:to_s).map { |x| x.sub(/pid \d+/, 'pid') }.inspect
pid = fork { exit 9 }; Process.wait pid; puts $?.exitstatus; puts `echo ticks`; trap('USR1') { puts 'usr1' }
Process.kill 'USR1', $$; sleep 0.05
begin; Timeout.timeout(0.1) { sleep 10 }; rescue Timeout::Error; puts 'timeout'; end
s = TCPServer.new '127.0.0.1', 0; t = Thread.new { c = s.accept; c.puts 'hi'; c.close }
puts TCPSocket.new('127.0.0.1', s.addr[1]).read; t.join
puts Digest::SHA256.hexdigest('a')[0, 8], (1..20).reduce(:*), %w[b a].sort.inspect
f = Fiber.new { Fiber.yield 1; 2 }; puts f.resume, f.resume
r, w = IO.pipe; fork { r.close; w.puts 'pipe'; exit! }; w.close; puts r.read; Process.waitall
def d(n) = d(n + 1); begin; d(0); rescue SystemStackError; puts 'deep'; end
abort 'aborted'
EOF
ruby t.rb; echo $?
