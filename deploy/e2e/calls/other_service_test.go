package calls

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/services/testkit/repository"
)

// otherService is the example of docs/integrate, built from a copy of its folder as the team of another service builds it, in an environment that
// `serein client` and `serein consumer` print.
type otherService struct {
	t *testing.T
	// dir is the copy; the program's own files lie there too.
	dir     string
	environ []string
	running *exec.Cmd
}

func newOtherService(t *testing.T) *otherService {
	t.Helper()
	root, err := repository.Root()
	require.NoError(t, err)
	o := &otherService{t: t, dir: filepath.Join(t.TempDir(), "docs", "integrate")}
	require.NoError(t, os.CopyFS(o.dir, os.DirFS(filepath.Join(root, "docs", "integrate"))))
	o.as(stack.ReportsClient)
	o.run("go", "mod", "edit", "-replace=serein.app/proto/gen="+filepath.Join(root, "proto", "gen"))
	o.run("go", "build", "-o", "integrate", ".")
	// The packages that it pins are among those of the app, where they are installed.
	requirePinned(t, filepath.Join(o.dir, "node", "package.json"), filepath.Join(root, "frontend", "package.json"))
	modules := filepath.Join(o.dir, "node", "node_modules")
	require.NoError(t, os.RemoveAll(modules))
	require.NoError(t, os.Symlink(filepath.Join(root, "frontend", "node_modules"), modules))
	return o
}

// requirePinned fails unless all that the one needs is in the other, in the same version.
func requirePinned(t *testing.T, one, other string) {
	t.Helper()
	var needs [2]struct{ Dependencies map[string]string }
	for i, path := range []string{one, other} {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(content, &needs[i]))
	}
	require.NotEmpty(t, needs[0].Dependencies)
	for name, version := range needs[0].Dependencies {
		require.Equal(t, needs[1].Dependencies[name], version, name)
	}
}

// as gives it the environment of that client, and that of its consumer.
func (o *otherService) as(client string) {
	o.t.Helper()
	called, err := product.ClientEnviron(client)
	require.NoError(o.t, err)
	follows, err := product.ConsumerEnviron(stack.ReportsConsumer)
	require.NoError(o.t, err)
	o.environ = append(os.Environ(), "GOWORK=off")
	for _, part := range []map[string]string{called, follows} {
		for name, value := range part {
			o.environ = append(o.environ, name+"="+value)
		}
	}
}

func (o *otherService) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(o.t.Context(), name, args...)
	cmd.Dir, cmd.Env = o.dir, o.environ
	return cmd
}

// run gives what a command prints.
func (o *otherService) run(name string, args ...string) string {
	o.t.Helper()
	cmd := o.command(name, args...)
	var fault strings.Builder
	cmd.Stderr = &fault
	out, err := cmd.Output()
	require.NoError(o.t, err, "%s %v: %s", name, args, fault.String())
	return string(out)
}

// follows starts the program, which goes on until it dies.
func (o *otherService) follows() {
	o.t.Helper()
	cmd := o.command("./integrate", "follow", "spent.jsonl")
	cmd.Stdout, cmd.Stderr = o.appended("printed"), o.appended("log")
	require.NoError(o.t, cmd.Start())
	o.running = cmd
	o.t.Cleanup(o.dies)
}

func (o *otherService) appended(name string) *os.File {
	o.t.Helper()
	file, err := os.OpenFile(filepath.Join(o.dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(o.t, err)
	o.t.Cleanup(func() { _ = file.Close() })
	return file
}

// dies kills the program, which gets no time to say goodbye.
func (o *otherService) dies() {
	_ = o.running.Process.Kill()
	_ = o.running.Wait()
}

// spending is a line that the program keeps and prints.
type spending struct {
	ID, UID string
	Credits int64
}

// of are the lines of a member in one of the program's files.
func (o *otherService) of(name, uid string) (found []spending) {
	o.t.Helper()
	for line := range strings.Lines(o.read(name)) {
		var s spending
		if json.Unmarshal([]byte(line), &s) == nil && s.UID == uid { // the last line may be half written
			found = append(found, s)
		}
	}
	return found
}

func (o *otherService) read(name string) string {
	o.t.Helper()
	content, err := os.ReadFile(filepath.Join(o.dir, name))
	require.NoError(o.t, err)
	return string(content)
}

// awaitPrinted waits until so many lines of a member are printed.
func (o *otherService) awaitPrinted(ctx context.Context, uid string, count int) []spending {
	o.t.Helper()
	require.NoError(o.t, harness.Eventually(ctx, "the program prints what was spent", func(context.Context) (bool, error) {
		return len(o.of("printed", uid)) >= count, nil
	}), "%s", o.read("log"))
	return o.of("printed", uid)
}

const knownAlready = "known already"

func TestAnotherServiceMissesNothingOfWhatIsSpentThoughItDiesAndKeepsItOnce(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	other := newOtherService(t)
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	other.follows()
	require.NoError(t, product.Spend(ctx, member.UID, 1))
	first := other.awaitPrinted(ctx, member.UID, 1)

	other.dies()
	require.NoError(t, product.Spend(ctx, member.UID, 2))
	require.NoError(t, product.Spend(ctx, member.UID, 3))
	other.follows()
	printed := other.awaitPrinted(ctx, member.UID, 3)
	require.Equal(t, first[0], printed[0])
	require.Equal(t, []int64{1, 2, 3}, []int64{printed[0].Credits, printed[1].Credits, printed[2].Credits}, "in their order")
	require.LessOrEqual(t, strings.Count(other.read("log"), knownAlready), 1, "it went on behind the one that it had in its hands")

	replay, err := product.Command(ctx, "billing", "replay", "1h")
	require.NoError(t, err)
	out, err := replay.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, s := range printed {
		require.NoError(t, harness.Eventually(ctx, "the event comes again", func(context.Context) (bool, error) {
			return strings.Contains(other.read("log"), knownAlready+" event="+s.ID), nil
		}))
	}
	require.Equal(t, printed, other.of("printed", member.UID), "each is printed once")
	require.Equal(t, printed, other.of("spent.jsonl", member.UID), "and kept once")
}

func TestAnotherServiceReadsALedgerToItsEndInGoAndInNode(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	other := newOtherService(t)
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	require.NoError(t, product.Spend(ctx, member.UID, 2))
	letGo(ctx, t, member.UID, 100) // a page has no more
	lines := strings.Split(strings.TrimSpace(other.run("./integrate", "ledger", member.UID)), "\n")
	require.Len(t, lines, 102)
	seen := map[string]bool{}
	for _, line := range lines {
		id, _, _ := strings.Cut(line, "\t")
		require.False(t, seen[id], "%s stands twice", line)
		seen[id] = true
	}
	require.Contains(t, lines[100], "\tspend\t-2\t")
	require.Contains(t, lines[101], "\tgrant\t")
	require.Equal(t, strings.Join(lines, "\n")+"\n", other.run("node", "node/ledger.mjs", member.UID))

	other.as(stack.ProgramClient)
	var user struct{ UID, Email string }
	require.NoError(t, json.Unmarshal([]byte(other.run("node", "node/user.mjs", member.UID)), &user))
	require.Equal(t, member.UID, user.UID)
	require.Equal(t, member.Email, user.Email)
	for _, command := range [][]string{{"./integrate", "ledger"}, {"node", "node/ledger.mjs"}} { // a client without the scope
		out, err := other.command(command[0], command[1], member.UID).CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), "invalid_scope")
	}
}

// letGo holds a credit of the member and releases it, count times: each leaves a line in the ledger that changes nothing.
func letGo(ctx context.Context, t *testing.T, uid string, count int) {
	t.Helper()
	token, err := product.ServiceToken("generation", "billing")
	require.NoError(t, err)
	conn := dial(t, "billing")
	ctx = harness.Bearer(ctx, token)
	for range count {
		held := &billingv1.HoldResponse{}
		require.NoError(t, conn.Invoke(ctx, billingv1connect.CreditServiceHoldProcedure, harness.HoldOf(uid, 1), held))
		require.NoError(t, conn.Invoke(ctx, billingv1connect.CreditServiceReleaseProcedure,
			&billingv1.ReleaseRequest{HoldId: held.GetHold().GetId()}, &billingv1.ReleaseResponse{}))
	}
}
