package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
)

// payload is as long as an event.
const payload = `decode(repeat('00', 330), 'hex')`

// holdSQL and captureSQL are billing's statements; m is the member.
const (
	holdSQL = `SELECT hold_id FROM hold_credits(uuidv7(), ` + memberSQL + `, 1, gen_random_uuid()::text,
		'meditation:00000000-0000-4000-8000-000000000000', 'A quiet evening', clock_timestamp(),
		clock_timestamp() + interval '10 minutes', ARRAY[uuidv7(), uuidv7()], ARRAY[` + payload + `, ` + payload + `])`
	captureSQL = `SELECT spend_hold(h, ` + memberSQL + `, clock_timestamp(), uuidv7(), ` + payload + `, 2, NULL, NULL, NULL)`
)

// statements is how many operations a second PostgreSQL does for as many callers with nothing in
// between, and the tool that asked: pgbench with the script where there is one, otherwise this program.
func (b *bench) statements(ctx context.Context, url, script string, direct func(*pgxpool.Pool) operation) (tool string, rate float64, err error) {
	program, err := exec.LookPath("pgbench")
	if err != nil {
		rate, err = b.direct(ctx, url, direct)
		return "same SQL, sent from Go", rate, err
	}
	rate, err = b.pgbench(ctx, program, url, script)
	return "same SQL, pgbench", rate, err
}

var (
	numberM  = regexp.MustCompile(`\bm\b`)
	numberH  = regexp.MustCompile(`\bh\b`)
	spaces   = regexp.MustCompile(`\s+`)
	pgbenchT = regexp.MustCompile(`tps = ([0-9.]+)`)
)

// pgbench runs a script with prepared statements.
func (b *bench) pgbench(ctx context.Context, program, url, script string) (float64, error) {
	file, err := os.CreateTemp("", "serein-*.sql")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.WriteString(script)
	if err := errors.Join(err, file.Close()); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, program, "-n", "-M", "prepared", "-f", file.Name(), "-c", strconv.Itoa(b.callers),
		"-j", strconv.Itoa(runtime.GOMAXPROCS(0)), "-T", strconv.Itoa(max(1, int(b.during/time.Second))), url)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w\n%s", err, out)
	}
	found := pgbenchT.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("pgbench says no rate:\n%s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// onOneLine is a statement as pgbench reads it.
func onOneLine(sql string) string { return spaces.ReplaceAllString(strings.TrimSpace(sql), " ") }

func creditsScript() string {
	hold := numberM.ReplaceAllString(onOneLine(holdSQL), ":m")
	capture := numberH.ReplaceAllString(numberM.ReplaceAllString(onOneLine(captureSQL), ":m"), ":hold_id")
	return fmt.Sprintf("\\set m random(0, %d)\n%s \\gset\n%s;\n", members-1, hold, capture)
}

// direct sends the operation from here.
func (b *bench) direct(ctx context.Context, url string, do func(*pgxpool.Pool) operation) (float64, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return 0, err
	}
	config.MaxConns = int32(b.callers)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	return b.rate(ctx, do(pool))
}

// creditsDirectly is a hold and its capture.
func creditsDirectly(pool *pgxpool.Pool) operation {
	hold := numberM.ReplaceAllString(holdSQL, "$$1")
	capture := numberH.ReplaceAllString(numberM.ReplaceAllString(captureSQL, "$$1"), "$$2")
	return func(ctx context.Context, i int64) error {
		var id uuid.UUID
		var outcome string
		if err := pool.QueryRow(ctx, hold, i).Scan(&id); err != nil {
			return err
		}
		err := pool.QueryRow(ctx, capture, i, id).Scan(&outcome)
		if err == nil && !strings.EqualFold(outcome, "captured") {
			return errors.New("capture: " + outcome)
		}
		return err
	}
}
