package webdriver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"serein.app/deploy/e2e/wait"
)

// Engine is a browser that can be started.
type Engine struct {
	Name string
	// begin runs it with its files in dir.
	begin func(ctx context.Context, s *Session, dir string) error
}

// Engines are those that the product promises to work in, as deploy/browsers.sh installs them.
var Engines = []Engine{{"Chromium", chromium}, {"Firefox", firefox}, {"WebKit", webkit}}

// zone is where the people are, as in package browser.
const zone = "Europe/London"

// Start runs the browser with its files in dir, for somebody whose screen holds still: what moves without end would take a processor. Close
// ends it. It believes any certificate. Sound is played as to a device that nobody hears, and none starts that nobody asked for.
func (e Engine) Start(ctx context.Context, dir string) (*Session, error) {
	s := &Session{}
	err := e.begin(ctx, s, dir)
	if err == nil {
		err = s.widen(ctx)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("start %s: %w", e.Name, err)
	}
	return s, nil
}

// widen makes the window that of a desk. WebKit's may still be opening, and is asked again.
func (s *Session) widen(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, wait.Patience)
	defer cancel()
	return wait.Until(ctx, func(ctx context.Context) error {
		var width int
		err := errors.Join(
			s.do(ctx, resize, map[string]any{"x": 0, "y": 0, "width": 1440, "height": 900}),
			s.Script(ctx, &width, "return window.innerWidth"),
		)
		if err == nil && width < 1400 {
			return fmt.Errorf("the window is %d px wide", width)
		}
		return err
	})
}

func chromium(ctx context.Context, s *Session, dir string) error {
	options := map[string]any{"args": []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--ignore-certificate-errors", "--mute-audio", "--autoplay-policy=user-gesture-required",
		"--force-prefers-reduced-motion", "--user-data-dir=" + dir, "--disable-background-networking",
	}}
	if binary := os.Getenv("CHROMIUM"); binary != "" {
		options["binary"] = binary
	}
	return s.drive(ctx, "chromedriver", nil, map[string]any{"acceptInsecureCerts": true, "goog:chromeOptions": options})
}

// webkit is WebKitGTK's small browser, which needs a display. Its driver leaves a new tab behind the others: a key brings it to the front.
func webkit(ctx context.Context, s *Session, dir string) error {
	display, err := s.display(ctx)
	if err != nil {
		return err
	}
	s.press = func(ctx context.Context, keys string) error {
		cmd := exec.CommandContext(ctx, "xdotool", "mousemove", "400", "400", "key", keys)
		cmd.Env = append(os.Environ(), "DISPLAY="+display)
		return cmd.Run()
	}
	sound, err := s.sound(ctx)
	if err != nil {
		return err
	}
	still := filepath.Join(dir, "gtk-3.0", "settings.ini")
	if err := errors.Join(os.MkdirAll(filepath.Dir(still), 0o700), os.WriteFile(still, []byte("[Settings]\ngtk-enable-animations=0\n"), 0o600)); err != nil {
		return err
	}
	environ := []string{"DISPLAY=" + display, sound, "HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CACHE_HOME=" + dir, "GDK_BACKEND=x11", "LIBGL_ALWAYS_SOFTWARE=1"}
	return s.drive(ctx, "WebKitWebDriver", environ, map[string]any{"acceptInsecureCerts": true})
}

// display starts a screen that nobody sees.
func (s *Session) display(ctx context.Context) (string, error) {
	in, out, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer func() { _, _ = in.Close(), out.Close() }()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1440x900x24", "-nolisten", "tcp") //nolint:noctx // Close ends it
	cmd.ExtraFiles = []*os.File{out}
	if err := s.run(cmd); err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { _ = in.SetReadDeadline(time.Now()) })
	defer stop()
	number, err := bufio.NewReader(in).ReadString('\n')
	return ":" + strings.TrimSpace(number), err
}

// sound starts a device that nobody hears and gives the setting that names it: without one Firefox plays nothing.
func (s *Session) sound(ctx context.Context) (environ string, err error) {
	dir, err := os.MkdirTemp("", "sound-") // an address there may have 100 letters, fewer than the folder of a test
	if err != nil {
		return "", err
	}
	s.ends = append(s.ends, func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "native")
	cmd := exec.Command("pulseaudio", "-n", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes", //nolint:noctx // Close ends it
		"--load=module-null-sink", "--load=module-native-protocol-unix auth-anonymous=1 socket="+socket)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_RUNTIME_DIR="+dir)
	if err := s.run(cmd); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, wait.Patience)
	defer cancel()
	return "PULSE_SERVER=unix:" + socket, wait.Until(ctx, func(context.Context) error {
		_, err := os.Stat(socket)
		return err
	})
}

// drive starts a driver and has it begin a session.
func (s *Session) drive(ctx context.Context, program string, environ []string, capabilities map[string]any) error {
	port, err := freePort(ctx)
	if err != nil {
		return err
	}
	cmd := exec.Command(program, fmt.Sprintf("--port=%d", port)) //nolint:noctx // Close ends it
	cmd.Env = append(os.Environ(), append(environ, "TZ="+zone)...)
	if err := s.run(cmd); err != nil {
		return err
	}
	d := &driver{address: fmt.Sprintf("http://127.0.0.1:%d", port)}
	if err := d.await(ctx); err != nil {
		return err
	}
	if err := d.begin(ctx, capabilities); err != nil {
		return err
	}
	s.wire = d
	s.quits()
	return nil
}

// await waits until the driver answers.
func (d *driver) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, wait.Patience)
	defer cancel()
	return wait.Until(ctx, func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.address+"/status", nil)
		if err != nil {
			return err
		}
		_, err = answered(http.DefaultClient.Do(req)) //nolint:bodyclose // answered does
		return err
	})
}

// settings of Firefox: one that asks nothing, holds still and lets no sound begin by itself.
var settings = map[string]string{
	"marionette.port": "0", "ui.prefersReducedMotion": "1", "media.autoplay.default": "1", "media.autoplay.blocking_policy": "0",
	"browser.shell.checkDefaultBrowser": "false", "datareporting.policy.dataSubmissionEnabled": "false", "browser.aboutwelcome.enabled": "false",
	"dom.disable_open_during_load": "true",
}

func firefox(ctx context.Context, s *Session, dir string) error {
	var file strings.Builder
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&file, "user_pref(%q, %s);\n", name, settings[name])
	}
	if err := os.WriteFile(filepath.Join(dir, "user.js"), []byte(file.String()), 0o600); err != nil {
		return err
	}
	sound, err := s.sound(ctx)
	if err != nil {
		return err
	}
	cmd := exec.Command("firefox-esr", "--marionette", "--headless", "--no-remote", "--profile", dir)                     //nolint:noctx // Close ends it
	cmd.Env = append(os.Environ(), sound, "HOME="+dir, "TZ="+zone, "MOZ_HEADLESS_WIDTH=1920", "MOZ_HEADLESS_HEIGHT=1080") // its screen
	if err := s.run(cmd); err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, wait.Patience)
	defer cancel()
	var m *marionette
	err = wait.Until(waiting, func(ctx context.Context) error {
		port, err := os.ReadFile(filepath.Join(dir, "MarionetteActivePort"))
		if err != nil {
			return err
		}
		m, err = connect(ctx, "127.0.0.1:"+strings.TrimSpace(string(port)))
		return err
	})
	if err != nil {
		return err
	}
	s.wire = m
	s.ends = append(s.ends, func() { _ = m.conn.Close() })
	s.quits()
	_, err = m.call(ctx, newSession, map[string]any{"acceptInsecureCerts": true})
	return err
}

// quits has Close begin with the end of the session, which closes the windows in order.
func (s *Session) quits() {
	s.ends = append(s.ends, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = s.do(ctx, deleteSession, nil)
	})
}

// run starts a program that Close ends, with all that it has started.
func (s *Session) run(cmd *exec.Cmd) error {
	cmd.SysProcAttr = apart()
	if err := cmd.Start(); err != nil {
		return err
	}
	s.ends = append(s.ends, func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	return nil
}

// freePort is one that nothing listens on now: the drivers want theirs said.
func freePort(ctx context.Context) (int, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port, nil //nolint:forcetypeassert // of a TCP listener
}
