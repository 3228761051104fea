#include "guest/spin.h"

#include "guest/clock.h"
#include "guest/code.h"
#include "guest/posts.h"
#include "guest/race.h"
#include "guest/signal.h"
#include "guest/spin_examine.h"
#include "guest/spin_place.h"
#include "guest/sys.h"
#include "guest/text.h"
#include "guest/timers.h"
#include "guest/turn.h"

/* How long to wait before asking, in real time. An examination takes up to half a millisecond when
 * the task computes, a tenth of that when it spins. */
#define CLOCK_OF_PROCESS 2u	/* CPUCLOCK_SCHED */
#define CLOCK_OF_THREAD	 6u	/* and CPUCLOCK_PERTHREAD_MASK */
#define LOOK_NS		 100000 /* of CPU time, after which a task is one that runs */
#define FIRST		 NSEC_PER_MSEC
#define FIRST_LEAST	 (100 * NSEC_PER_USEC)
#define FIRST_MOST	 (20 * NSEC_PER_MSEC)
#define PATIENCE_MOST	 NSEC_PER_SEC
#define STALL		 (5 * NSEC_PER_SEC)
#define FLAG_TF		 0x100ull
#define FLAG_AC		 0x40000ull

/* One examination at a time: the number of the process that does it, or had it done when it
 * forked. */
static uint32_t examiner;
static struct examination examination;

bool spin_is_question(const struct kernel_siginfo *info)
{
	return info->code == SPIN_QUESTION;
}

static void ask(int32_t pid, int32_t tid, bool tell)
{
	struct kernel_siginfo info = { .signo = SPIN_SIGNAL, .code = SPIN_QUESTION };

	info.sender.value = tell;
	sys(__NR_rt_tgsigqueueinfo, pid, tid, info.signo, &info);
}

void spin_ask(int32_t pid, int32_t tid)
{
	ask(pid, tid, false);
}

/* A number that is another one after each of its events. */
static uint64_t progress_of(uint32_t index)
{
	const struct task *task = task_at(index);
	const struct domain *domain = domain_of(index);

	return task_at(task->process % TASKS)->clock ^ (uint64_t)task->generation << 48 ^
	       (uint64_t)task->execs << 32 ^ (domain ? domain->quantum << 20 : 0);
}

static uint64_t between(uint64_t low, uint64_t value, uint64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* A task that spun will spin again; one that computed is asked less often. */
static void learn(uint32_t index, bool waits)
{
	struct watch *watch = &process.arena->watches[index];

	watch->first = waits ? FIRST_LEAST : between(FIRST_LEAST, 2 * watch->first, FIRST_MOST);
}

/* The task has made an event since it was looked at last, or is another one. */
static uint64_t start_watch(struct watch *watch, uint64_t progress, uint64_t now)
{
	if (!watch->first)
		watch->first = FIRST;
	watch->progress = progress;
	watch->patience = between(FIRST_LEAST, watch->first, FIRST_MOST);
	watch->cpu = 0;
	watch->next = now + watch->patience;
	return watch->patience;
}

/* It has run for long, and others of its domain could run. The machine's load has no say in it. */
static bool is_stall(const struct watch *watch, uint32_t index)
{
	const struct domain *domain = domain_of(index);

	return watch->cpu - watch->began >= STALL && domain && domain->first;
}

/* The kernel's clock of a thread of this process, or of another process. */
static int32_t cpu_clock(const struct task *task)
{
	bool own = task->process == task_at(thread_self()->task)->process;

	return own ? (int32_t)(~(uint32_t)task->tid << 3 | CLOCK_OF_THREAD)
		   : (int32_t)(~(uint32_t)task->pid << 3 | CLOCK_OF_PROCESS);
}

/* Files of /proc are not to be opened here: while another thread runs, their descriptors would be in
 * its way. */
static uint64_t cpu_of(const struct task *task)
{
	uint64_t time[2] = { 0 };

	sys(__NR_clock_gettime, cpu_clock(task), time);
	return time[0] * NSEC_PER_SEC + time[1];
}

/* Has it used the CPU since it was looked at first, or asked last? One that sleeps in the kernel
 * does not spin, and its call should not be disturbed. Where many compete for the CPU, one that
 * spins may rarely be seen to have it at a given moment. */
static bool has_run(struct watch *watch, const struct task *task)
{
	uint64_t cpu = cpu_of(task), before = watch->cpu;

	if (before && cpu < before + LOOK_NS)
		return false;
	if (!before)
		watch->began = cpu;
	watch->cpu = cpu;
	return before;
}

static void ask_if_running(struct watch *watch, uint32_t index)
{
	const struct task *task = task_at(index);

	if (task->state == TASK_LIVE && task->tid && has_run(watch, task))
		ask(task->pid, task->tid, is_stall(watch, index));
}

uint64_t spin_patience(uint32_t holder)
{
	const struct watch *watch = &process.arena->watches[holder];

	return watch->first ? between(FIRST_LEAST, watch->first, FIRST_MOST) : FIRST;
}

/* Many may wait for the same task; the one that moves `next` asks. */
uint64_t spin_watch(uint32_t holder)
{
	struct watch *watch = &process.arena->watches[holder];
	uint64_t now = real_now(), next = watch->next, progress = progress_of(holder);
	uint64_t patience = watch->cpu ? 2 * watch->patience : 2 * LOOK_NS;

	patience = between(FIRST_LEAST, patience, PATIENCE_MOST);
	if (watch->progress != progress || next > now + PATIENCE_MOST)
		return start_watch(watch, progress, now);
	if (now < next)
		return next - now;
	if (!__atomic_compare_exchange_n(
		    &watch->next, &next, now + patience, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return patience;
	if (watch->cpu)
		watch->patience = patience;
	ask_if_running(watch, holder);
	return patience;
}

bool spin_read(void *to, uint64_t address, size_t bytes)
{
	return copy_in(to, address, bytes) == 0;
}

static uint64_t fs_base(void)
{
	uint64_t base = 0;

	if (process.fsgsbase)
		__asm__ volatile("rdfsbase %0" : "=r"(base));
	else
		sys(__NR_arch_prctl, ARCH_GET_FS, &base);
	return base;
}

static void model_from_frame(struct model *m, const struct kernel_sigcontext *c)
{
	const uint64_t registers[MODEL_REGISTERS] = { c->rax, c->rcx, c->rdx, c->rbx, c->rsp,
		c->rbp, c->rsi, c->rdi, c->r8, c->r9, c->r10, c->r11, c->r12, c->r13, c->r14,
		c->r15 };

	memset(m, 0, sizeof(*m));
	memcpy(m->registers, registers, sizeof(registers));
	m->rip = c->rip;
	m->flags = c->rflags;
	m->fs = fs_base();
}

static void model_to_frame(const struct model *m, struct kernel_sigcontext *c)
{
	const uint64_t *r = m->registers;

	c->rax = r[0];
	c->rcx = r[1];
	c->rdx = r[2];
	c->rbx = r[3];
	c->rsp = r[4];
	c->rbp = r[5];
	c->rsi = r[6];
	c->rdi = r[7];
	c->r8 = r[8];
	c->r9 = r[9];
	c->r10 = r[10];
	c->r11 = r[11];
	c->r12 = r[12];
	c->r13 = r[13];
	c->r14 = r[14];
	c->r15 = r[15];
	c->rip = m->rip;
	c->rflags = m->flags;
}

/* What the loop would have written: mostly what is there already. */
static bool write_cells(const struct model *m)
{
	for (uint32_t i = 0; i < m->cell_count; i++) {
		const struct cell *cell = &m->cells[i];

		if (cell->value != cell->original &&
			copy_out(cell->address, &cell->value, sizeof(cell->value)))
			return false;
	}
	return true;
}

/* Is memory as it was? */
static bool is_still(const struct model *m)
{
	for (uint32_t i = 0; i < m->cell_count; i++)
		if (m->cells[i].value != m->cells[i].original)
			return false;
	return true;
}

/* Does it wait? Then it is put at its place. */
static bool examine(struct kernel_sigcontext *c)
{
	struct model *m = &examination.model;

	if (c->rflags & (FLAG_TF | FLAG_AC)) /* the program watches its own instructions */
		return false;
	model_from_frame(m, c);
	if (!spin_examine(&examination) || !write_cells(m))
		return false;
	model_to_frame(m, c);
	return true;
}

/* The buffers are one for all tasks that share this memory. */
static bool examine_alone(struct thread *self, struct kernel_sigcontext *c, bool *still)
{
	uint32_t own = (uint32_t)task_at(self->task)->pid, holder = examiner;
	bool waits;

	if (holder == own || !__atomic_compare_exchange_n(&examiner, &holder, own, false,
				     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	waits = examine(c);
	*still = is_still(&examination.model);
	__atomic_store_n(&examiner, 0, __ATOMIC_RELEASE);
	return waits;
}

static void tell(const struct thread *self, const struct kernel_sigcontext *c)
{
	struct kernel_sigcontext shown = *c;
	char text[400], *at = text;

	if (__atomic_load_n(&process.arena->notice.state, __ATOMIC_RELAXED))
		return;
	at = text_put(text_put_number(at, task_at(self->task)->tid), " has computed for 5 s at ");
	shown.fpstate = 0; /* the thread goes on with it */
	code_normalise((struct thread *)self, &shown);
	spin_place(shown.rip, at, sizeof(text) - (size_t)(at - text));
	notice("thread %s without a call, and others that share its memory wait; it goes on. If it "
	       "waits for them: --relax threads",
		text);
}

/* The turn passes until another one of those that share its memory has had it, or a signal comes or
 * is due. The moment of the question is no part of this: whenever it comes, the task stands at the
 * same place, and the same time passes. */
static void let_others_run(struct thread *self, uint32_t what)
{
	turn_take(self);
	clock_advance(self, SPIN_COST);
	turn_park(self, PARK_SPIN | PARK_SIGNAL | what, timers_next_awake(self));
	posts_take(self);
	timers_check(self);
	turn_leave(self, 0);
}

/* Questions that came meanwhile are answered: they must not look like a signal, as they come at any
 * time. A true one of that number is kept. */
static void take_questions(struct thread *self)
{
	const sigmask_t set = SIG_BIT(SIGWINCH);
	const int64_t at_once[2] = { 0, 0 };
	struct kernel_siginfo info;

	while (sys(__NR_rt_sigtimedwait, &set, &info, at_once, sizeof(set)) == SIGWINCH)
		if (!spin_is_question(&info))
			signal_defer(self, &info);
}

/* Is there a signal for the program? All are blocked here. */
static bool has_signal(struct thread *self)
{
	sigmask_t pending = 0;

	take_questions(self);
	sys(__NR_rt_sigpending, &pending, sizeof(pending));
	return self->pending || (pending & ~self->mask);
}

/* When its turn has come again, it looks at once whether it still waits: then it has done nothing
 * that others could see, but for what its loop counts. Before the first time it may have. */
static void wait_for_change(struct thread *self, struct kernel_sigcontext *c)
{
	uint32_t what = 0;
	bool still;

	do {
		let_others_run(self, what);
		if (has_signal(self) || !examine_alone(self, c, &still))
			return;
		what = still ? PARK_STILL : 0;
	} while (true);
}

void spin_answer(struct thread *self, const struct kernel_siginfo *info, struct kernel_ucontext *uc)
{
	bool waits, still;

	if (!threads_matter())
		return;
	waits = examine_alone(self, &uc->context, &still);
	learn(self->task, waits);
	if (waits)
		wait_for_change(self, &uc->context);
	else if (info->sender.value)
		tell(self, &uc->context);
}
