package webdriver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// marionette is Firefox, asked over its own connection. A message is its length in bytes, a colon and JSON: [0, number, command, parameters]
// is answered by [1, number, error, result].
type marionette struct {
	conn  net.Conn
	in    *bufio.Reader
	calls int
}

// longest answer in bytes: a picture of a page.
const longest = 64 << 20

// connect takes the greeting.
func connect(ctx context.Context, address string) (*marionette, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	m := &marionette{conn: conn, in: bufio.NewReader(conn)}
	if _, err := m.receive(); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("greeting: %w", err)
	}
	return m, nil
}

func (m *marionette) call(ctx context.Context, c command, params map[string]any) (json.RawMessage, error) {
	stop := context.AfterFunc(ctx, func() { _ = m.conn.SetDeadline(time.Now()) })
	defer stop()
	if params == nil {
		params = map[string]any{}
	}
	m.calls++
	message, err := json.Marshal([]any{0, m.calls, "WebDriver:" + c.marionette, params})
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(m.conn, "%d:%s", len(message), message); err != nil {
		return nil, err
	}
	return m.answer()
}

// answer reads the answer to the last call.
func (m *marionette) answer() (json.RawMessage, error) {
	content, err := m.receive()
	if err != nil {
		return nil, err
	}
	var kind, number int
	var refused *Error
	var result json.RawMessage
	if err := json.Unmarshal(content, &[]any{&kind, &number, &refused, &result}); err != nil {
		return nil, err
	}
	switch {
	case number != m.calls:
		return nil, fmt.Errorf("answer %d to call %d", number, m.calls)
	case refused != nil:
		return nil, refused
	}
	var wrapped map[string]json.RawMessage
	if json.Unmarshal(result, &wrapped) == nil && len(wrapped) == 1 && wrapped["value"] != nil {
		return wrapped["value"], nil
	}
	return result, nil
}

func (m *marionette) receive() ([]byte, error) {
	head, err := m.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(strings.TrimSuffix(head, ":"))
	if err != nil || size < 0 || size > longest {
		return nil, fmt.Errorf("no length of a message: %q", head)
	}
	content := make([]byte, size)
	_, err = io.ReadFull(m.in, content)
	return content, err
}
