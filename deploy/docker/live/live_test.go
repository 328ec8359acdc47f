package live_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/docker/live"
)

// asProgram is the first argument by which this test's own binary is the program of a container.
const asProgram = "as-a-program"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == asProgram {
		os.Exit(program(os.Args[2]))
	}
	os.Exit(m.Run())
}

// program does what the second argument says: it ends with that code by itself, it waits for one signal or for two, or it ends at once
// by a signal. It prints what the file beside it says, and the signals that it gets.
func program(what string) int {
	if code, err := strconv.Atoi(what); err == nil {
		return code
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(os.Args[0]), "text"))
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Printf("started with %s\n", text)
	if what == "killed" {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	for range map[string]int{"killed": 1, "waits": 1, "waits twice": 2}[what] {
		fmt.Printf("got %s\n", <-signals)
	}
	return 7
}

// container is a program that runs.
type container struct {
	image, volume string
	signals       chan os.Signal
	lines         *bufio.Scanner
	code          chan int
}

// newContainer makes an image whose program does what is said, with a volume beside it.
func newContainer(t *testing.T) *container {
	t.Helper()
	c := &container{image: t.TempDir(), volume: t.TempDir(), signals: make(chan os.Signal)}
	binary, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(binary, filepath.Join(c.image, "program")))
	write(t, filepath.Join(c.image, "text"), "the image's")
	return c
}

func write(t *testing.T, file, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
}

// start starts the program, and what it prints is read from then on.
func (c *container) start(what string) {
	out, in := io.Pipe()
	c.lines, c.code = bufio.NewScanner(out), make(chan int, 1)
	p := live.Program{Image: c.image, Volume: c.volume, Name: "program", Args: []string{asProgram, what}, Out: in, Err: in}
	go func() {
		code, err := p.Run(c.signals)
		if err != nil {
			code = -1
		}
		c.code <- code
		_ = in.Close()
	}()
}

func (c *container) prints(t *testing.T, line string) {
	t.Helper()
	require.True(t, c.lines.Scan(), "it has ended before it printed %q", line)
	require.Equal(t, line, c.lines.Text())
}

func (c *container) endsWith(t *testing.T, code int) {
	t.Helper()
	require.False(t, c.lines.Scan(), "it printed %q", c.lines.Text())
	require.Equal(t, code, <-c.code)
}

func TestAProgramThatEndsByItselfEndsTheContainerWithItsCode(t *testing.T) {
	t.Parallel()
	for _, code := range []int{0, 1, 42} {
		c := newContainer(t)
		c.start(strconv.Itoa(code))
		c.endsWith(t, code)
	}
}

func TestAProgramThatASignalHasEndedGivesTheCodeOfAShell(t *testing.T) {
	t.Parallel()
	c := newContainer(t)
	c.start("killed")
	c.prints(t, "started with the image's")
	c.endsWith(t, 128+int(syscall.SIGKILL))
}

func TestTheProgramGetsTheSignalsOfTheContainer(t *testing.T) {
	t.Parallel()
	for _, sent := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		c := newContainer(t)
		c.start("waits")
		c.prints(t, "started with the image's")
		c.signals <- sent
		c.prints(t, "got "+sent.String())
		c.endsWith(t, 7)
	}
}

func TestWhatTiltHasBroughtRunsAfterTheSignal(t *testing.T) {
	t.Parallel()
	c := newContainer(t)
	c.start("waits")
	c.prints(t, "started with the image's")
	for _, text := range []string{"another", "a third"} {
		write(t, filepath.Join(c.volume, "now/text"), text)
		c.signals <- live.Again
		c.prints(t, "got terminated")
		c.prints(t, "started with "+text)
	}
	c.signals <- syscall.SIGTERM
	c.prints(t, "got terminated")
	c.endsWith(t, 7)
}

func TestAnotherContainerOfThePodHasWhatTiltHasBrought(t *testing.T) {
	t.Parallel()
	c := newContainer(t)
	c.start("killed")
	c.prints(t, "started with the image's")
	c.endsWith(t, 137)
	write(t, filepath.Join(c.volume, "now/text"), "another")
	c.start("killed")
	c.prints(t, "started with another")
	c.endsWith(t, 137)
}

func TestACopyThatWasNotFinishedIsMadeAgain(t *testing.T) {
	t.Parallel()
	c := newContainer(t)
	require.NoError(t, os.Mkdir(filepath.Join(c.volume, "next"), 0o700))
	write(t, filepath.Join(c.volume, "next/text"), "half of it")
	c.start("killed")
	c.prints(t, "started with the image's")
	c.endsWith(t, 137)
}

func TestWithoutAVolumeTheProgramRunsFromTheImage(t *testing.T) {
	t.Parallel()
	c := newContainer(t)
	c.volume = filepath.Join(c.volume, "missing")
	c.start("killed")
	c.prints(t, "started with the image's")
	c.endsWith(t, 137)
	require.NoDirExists(t, c.volume)
}

func TestAContainerThatIsToEndDoesNotStartTheProgramAgain(t *testing.T) {
	t.Parallel()
	c := newContainer(t)
	c.start("waits twice")
	c.prints(t, "started with the image's")
	c.signals <- live.Again
	c.prints(t, "got terminated")
	c.signals <- syscall.SIGTERM
	c.prints(t, "got terminated")
	c.endsWith(t, 7)
}

func TestAProgramThatCannotBeStartedIsAnError(t *testing.T) {
	t.Parallel()
	p := live.Program{Image: t.TempDir(), Volume: "", Name: "program", Out: io.Discard, Err: io.Discard}
	_, err := p.Run(nil)
	require.ErrorContains(t, err, "start program")
}
