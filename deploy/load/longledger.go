package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
	"serein.app/services/platform/pagetoken"
)

// longLedger is how many entries the member has whose ledger is read; every tenth is followed by a note.
const longLedger = 10_000

// middleOfLedger is the page token of position 5,000.
var middleOfLedger = pagetoken.Encode(struct{ Position, Number int64 }{5000, 0})

// measureLongLedger reads pages of a long ledger as its member sees them: through the gateway, with billing and generation behind it,
// each service in a separate process with the real PostgreSQL. It compares the rate of concurrent reads with that of a bare hop in the
// same run, and measures the time of one read without others.
func measureLongLedger(ctx context.Context, b *bench) (figures []Figure, err error) {
	product, leave, err := openProduct(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	member, err := keeper(ctx, product)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cookies, err := member.CookieHeader()
	if err != nil {
		return nil, err
	}
	hop, err := bareHopReading(ctx)
	if err != nil {
		return nil, err
	}
	address, signedIn := product.URL()+webv1connect.MembershipServiceListLedgerProcedure, http.Header{"Cookie": {cookies}}
	ours := []*reading{
		call("first page of 10,000 entries", address, "{}", signedIn),
		call("page in the middle of 10,000 entries", address, `{"pageToken":"`+middleOfLedger+`"}`, signedIn),
	}
	if err := b.readAll(ctx, append(ours[:len(ours):len(ours)], hop)); err != nil {
		return nil, err
	}
	return b.ledgerFigures(ctx, ours, hop)
}

// ledgerFigures are the waits, which have a limit, before rates and processor times.
func (b *bench) ledgerFigures(ctx context.Context, ours []*reading, hop *reading) (figures []Figure, err error) {
	bare, err := b.wait(ctx, hop)
	if err != nil {
		return nil, err
	}
	var rates []Figure
	for _, r := range ours {
		took, err := b.wait(ctx, r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		p99 := Figure{Name: r.name + ", p99", Value: milliseconds(percentile(took, 99))}
		figures = append(figures, p99.against(hop.name, milliseconds(percentile(bare, 99)).N).below(10))
		rates = append(rates, r.rate().against(hop.name, median(hop.rates)), r.processorTime().against(hop.name, median(hop.used)))
	}
	return append(figures, rates...), nil
}

// wait is what the reading takes, one after another.
func (b *bench) wait(ctx context.Context, r *reading) (took []time.Duration, err error) {
	b.say("  %s, one after another", r.name)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	for began := time.Now(); time.Since(began) < b.during; {
		sent := time.Now()
		if err := r.send(ctx, client); err != nil {
			return took, err
		}
		took = append(took, time.Since(sent))
	}
	return took, nil
}

// keeper is a member with a long ledger, each entry of a meditation of their own and out of the top-ups: so each page looks once more
// at billing, whether its last entry is a half of a price.
func keeper(ctx context.Context, product *harness.Harness) (*harness.Member, error) {
	member, err := product.NewMember(ctx)
	if err != nil {
		return nil, err
	}
	for _, fill := range []struct{ service, sql string }{
		{"generation", madeSQL}, {"billing", grantedSQL}, {"billing", spentSQL}, {"billing", notedSQL}, {"billing", keptSQL},
	} {
		if _, err := harness.SQL[int](ctx, product, fill.service, fill.sql, member.UID, longLedger); err != nil {
			return nil, fmt.Errorf("a long ledger: %w", err)
		}
	}
	for _, service := range []string{"generation", "billing"} {
		if err := analyse(ctx, product, service); err != nil {
			return nil, err
		}
	}
	return member, shown(ctx, member)
}

// analyse tells a service's database how many rows it has now, as it finds out by itself within the minute.
func analyse(ctx context.Context, product *harness.Harness, service string) error {
	url, err := product.DatabaseURL(service)
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "ANALYZE")
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}

// shown says whether pages are what is to be measured: full, and with the titles of their meditations.
func shown(ctx context.Context, member *harness.Member) error {
	for _, token := range []string{"", middleOfLedger} {
		page, err := member.Memberships.ListLedger(ctx, &webv1.ListLedgerRequest{PageToken: token})
		if err != nil {
			return err
		}
		rows := page.GetRows()
		if last := rows[len(rows)-1]; len(rows) < 20 || last.GetTitle() != "An evening" {
			return fmt.Errorf("a page has %d rows and ends with %q", len(rows), last.GetTitle())
		}
	}
	return nil
}

// The statements that make a long ledger of $2 entries for the member $1: m numbers them, and is their meditation's id.
const (
	madeSQL = readySQL + memberSQL + readyRestSQL
	// readySQL and readyRestSQL, with an expression for the id between them, insert $2 finished meditations of the member $1.
	readySQL = `WITH made AS (INSERT INTO meditations (id, uid, idempotency_key, title, type_id, practice_id, size_id, immersive, track_id, day, brief,
			narrator_id, narrator_name, cost, hold_id, state, settled, tidied, words, passages_total, passages_done, ready_us, expected_us, audio_bytes,
			created_at, ended_at, deadline)
		SELECT `
	readyRestSQL = `, $1::uuid, gen_random_uuid(), 'An evening', 't', 'p', 's', false, '', now(), '{"affirmations": []}',
			'n', 'N', 1, gen_random_uuid(), 'ready', true, true, 300, 20, 20, 60000000, 60000000, 1,
			now() - interval '1 hour', now(), now() FROM generate_series(1, $2::int) m RETURNING 1)
		SELECT count(*)::int FROM made`
	grantedSQL = `SELECT count(grant_credits($1::uuid, 'top_up', $2::bigint, 'load:' || gen_random_uuid(), NULL, 'Load', '', now()))::int`
	spentSQL   = `WITH spent AS (INSERT INTO entries (uid, position, cause, from_account, to_account, amount, balance_after, at, description, reference)
		SELECT $1::uuid, m, 'hold:' || gen_random_uuid(), 'top_up', 'spent', 1, b.plan_available + b.top_up_available - m + b.entry_count, now(), '',
			'meditation:' || ` + memberSQL + ` FROM balances b, generate_series(b.entry_count + 1, $2::int) m WHERE b.uid = $1::uuid RETURNING 1)
		SELECT count(*)::int FROM spent`
	notedSQL = `WITH noted AS (INSERT INTO notes (uid, position, number, kind, cause, plan_credits, top_up_credits, balance_after, at, description, reference)
		SELECT uid, position, position / 10, 'release', 'release:' || gen_random_uuid(), 0, 1, balance_after, at, '', reference
		FROM entries WHERE uid = $1::uuid AND position % 10 = 0 AND position <= $2::int RETURNING 1)
		SELECT count(*)::int FROM noted`
	keptSQL = `UPDATE balances SET top_up_available = top_up_available - $2::int + entry_count, entry_count = $2::int, note_count = $2::int / 10, changed_at = now()
		WHERE uid = $1::uuid RETURNING 1`
)
