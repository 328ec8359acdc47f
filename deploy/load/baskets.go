package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/deploy/e2e/harness"
	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	"serein.app/services/platform/auth"
)

// sold is a product of Serein's catalogue.
const sold = "half-way-tote"

// additionSQL are basket's statements of an addition, in their order: m is the member, and a name that begins with a colon is a
// column of an earlier statement. Making a basket costs more, on both sides, so each basket is made before the measurement.
var additionSQL = []string{
	`SELECT id AS basket FROM baskets WHERE owner = ` + memberSQL + ` AND guest = false FOR NO KEY UPDATE`,
	`SELECT b.version, b.before, COALESCE((SELECT jsonb_agg(to_jsonb(l) - 'basket_id' ORDER BY l.added_at, l.id)
		FROM lines l WHERE l.basket_id = b.id), '[]')::jsonb AS lines
		FROM baskets b WHERE b.owner = ` + memberSQL + ` AND b.guest = false`,
	`SELECT count(outcome) AS known FROM requests WHERE basket_id = :basket AND id = gen_random_uuid()`,
	`WITH gone AS (
			DELETE FROM lines d WHERE d.basket_id = :basket AND d.id = ANY ('{}'::uuid[])
		), changed AS (
			INSERT INTO lines (id, basket_id, product_id, size, quantity, added_at, saved_at, kind, shown_amount, shown_currency)
			SELECT l.id, :basket, l.product_id, l.size, l.quantity, l.added_at, l.saved_at, l.kind, l.shown_amount, l.shown_currency
			FROM jsonb_to_recordset(:lines::jsonb) AS l (id uuid, product_id text, size text, quantity int, added_at timestamptz,
				saved_at timestamptz, kind text, shown_amount bigint, shown_currency text)
			ON CONFLICT (id) DO UPDATE SET quantity = EXCLUDED.quantity, saved_at = EXCLUDED.saved_at, kind = EXCLUDED.kind,
				shown_amount = EXCLUDED.shown_amount, shown_currency = EXCLUDED.shown_currency
		), asked AS (
			INSERT INTO requests (basket_id, id, outcome, at) SELECT :basket, gen_random_uuid(), 1::smallint, now()
		)
		UPDATE baskets SET version = :version::bigint + 1, before = :lines::jsonb, changed_at = now() WHERE baskets.id = :basket`,
	`INSERT INTO outbox (id, subject, payload) VALUES (uuidv7(), 'serein.basket.basket.changed.v1', ` + payload + `)`,
}

// measureBaskets compares additions through basket's RPC, called as the gateway calls it, with the same statements sent to
// the same durable server by as many callers.
func (b *bench) measureBaskets(ctx context.Context, product *harness.Harness) (Figure, error) {
	add, err := additions(ctx, product)
	if err != nil {
		return Figure{}, err
	}
	for m := range int64(members) {
		if err := add(ctx, m); err != nil {
			return Figure{}, err
		}
	}
	b.say("  additions through the RPC")
	through, err := b.rate(ctx, add)
	if err != nil {
		return Figure{}, err
	}
	// The service rests meanwhile, as billing does; and it leaves the limit what it has not published.
	if err := product.StopPart("basket"); err != nil {
		return Figure{}, err
	}
	url, err := product.DatabaseURL("basket")
	if err != nil {
		return Figure{}, err
	}
	b.say("  the same statements without it")
	tool, limit, err := b.statements(ctx, url, additionScript(), additionDirectly)
	if err != nil {
		return Figure{}, err
	}
	figure := Figure{Name: "additions to a basket, RPC and relay", Value: Quantity{through, "/s"}}.against(tool, limit).atLeast(0.5)
	return figure, product.StartPart(ctx, "basket")
}

func additions(ctx context.Context, product *harness.Harness) (operation, error) {
	dialer, err := dialerAs(ctx, product, "gateway")
	if err != nil {
		return nil, err
	}
	baskets := basketv1connect.NewBasketServiceClient(dialer.To("basket", product.ServiceURL("basket")))
	return func(ctx context.Context, m int64) error {
		_, err := baskets.AddItem(auth.WithMember(ctx, memberID(m)), &basketv1.AddItemRequest{RequestId: uuid.NewString(), ProductId: sold})
		return err
	}, nil
}

func additionScript() string {
	var script strings.Builder
	fmt.Fprintf(&script, "\\set m random(0, %d)\nBEGIN;\n", members-1)
	for i, sql := range additionSQL {
		end := ";"
		if i < 3 { // a later one asks for what it answers
			end = " \\gset"
		}
		fmt.Fprintln(&script, numberM.ReplaceAllString(onOneLine(sql), ":m")+end)
	}
	return script.String() + "COMMIT;\n"
}

// fromBefore is what a statement takes from one before.
var fromBefore = regexp.MustCompile(`:(basket|lines|version)\b`)

// additionDirectly sends the statements from here.
func additionDirectly(pool *pgxpool.Pool) operation {
	named := make([]string, len(additionSQL))
	for i, sql := range additionSQL {
		named[i] = numberM.ReplaceAllString(fromBefore.ReplaceAllString(sql, "@$1"), "@m")
	}
	return func(ctx context.Context, m int64) error {
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			var basket uuid.UUID
			var version, known int64
			var before, lines []byte
			args := func() pgx.NamedArgs {
				return pgx.NamedArgs{"m": m, "basket": basket, "lines": lines, "version": version}
			}
			return errors.Join(
				tx.QueryRow(ctx, named[0], args()).Scan(&basket),
				tx.QueryRow(ctx, named[1], args()).Scan(&version, &before, &lines),
				tx.QueryRow(ctx, named[2], args()).Scan(&known),
				send(ctx, tx, named[3], args()), send(ctx, tx, named[4], args()),
			)
		})
	}
}

func send(ctx context.Context, tx pgx.Tx, sql string, args pgx.NamedArgs) error {
	_, err := tx.Exec(ctx, sql, args)
	return err
}
