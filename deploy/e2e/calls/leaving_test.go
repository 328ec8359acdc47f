package calls

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// kept are the tables in which the uid of somebody who has left may stand, and why; the page "privacy policy" says so too. Neither name
// nor address stands anywhere.
var kept = map[string]string{
	"billing.entries":       "the books",
	"billing.notes":         "the books",
	"billing.balances":      "the books",
	"billing.subscriptions": "the books",
	"billing.orders":        "the books",
	"billing.referrals":     "a reward may be taken back",
	"billing.holds":         "for 90 days: a repeated request",
	"billing.plan_changes":  "for 90 days: a repeated request",
	"billing.departures":    "for 90 days: what is paid late is returned",
}

// A member who has used the product leaves, and everything that the product has written is searched, byte by byte.
func TestOfAMemberWhoLeavesNothingIsFoundButWhatTheLawAsksFor(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m, title := usesEverything(ctx, t)
	traces := []string{m.Email, m.Username, title}
	found := search(ctx, t, append(traces, m.UID))
	for _, trace := range traces {
		require.NotEmpty(t, found[trace], "the search finds %s while it is there", trace)
	}

	takesEverything(ctx, t, m, title)
	_, err := m.Deletions.DeleteAccount(ctx, &webv1.DeleteAccountRequest{Password: "not the password"})
	require.Equal(t, "NOT_AUTHORIZED", harness.RefusalOf(err).Reason)
	res, err := m.Deletions.DeleteAccount(ctx, &webv1.DeleteAccountRequest{Password: m.Password})
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(14*24*time.Hour), res.GetDeletesAt().AsTime(), time.Minute)
	session, err := m.Session.GetSession(ctx, &webv1.GetSessionRequest{})
	require.NoError(t, err)
	require.Nil(t, session.GetMember(), "signed out")
	product.RequireLetter(t, m, "Your account will be deleted, as you asked")

	_, err = harness.SQL[string](ctx, product.Harness, "identity", "UPDATE accounts SET deletes_at = now() WHERE uid = $1 RETURNING username", m.UID)
	require.NoError(t, err)
	product.RequireLetter(t, m, "Your account is deleted")
	require.NoError(t, harness.Eventually(ctx, "nothing is left", func(ctx context.Context) (bool, error) {
		found = search(ctx, t, append(traces, m.UID))
		for _, trace := range traces {
			if len(found[trace]) > 0 {
				t.Logf("%s is left: %v", trace, found[trace])
				return false, fmt.Errorf("%s: %v", trace, found[trace])
			}
		}
		for _, where := range found[m.UID] {
			if kept[where] == "" {
				t.Logf("the uid is left: %s", where)
				return false, fmt.Errorf("the uid: %s", where)
			}
		}
		return true, nil
	}))
}

// usesEverything is a member with a meditation that they like, and a membership that is paid.
func usesEverything(ctx context.Context, t *testing.T) (m *harness.Member, title string) {
	t.Helper()
	m, err := product.NewMember(ctx)
	require.NoError(t, err)
	title = "Harbour of " + m.Username
	made, err := m.Generate(ctx, harness.SmallRequest(title))
	require.NoError(t, err)
	ended, err := m.AwaitEnd(ctx, made.GetId())
	require.NoError(t, err)
	require.Equal(t, webv1.Stage_STAGE_READY, ended.GetStage())
	_, err = m.Items.SetLike(ctx, &webv1.SetLikeRequest{Item: &webv1.ItemRef{Kind: webv1.ItemKind_ITEM_KIND_BESPOKE, Id: made.GetId()}, Liked: true})
	require.NoError(t, err)
	buysMembership(ctx, t, m)
	return m, title
}

// takesEverything downloads the member's copy, which has what they made, bought and agreed to, and opens by itself.
func takesEverything(ctx context.Context, t *testing.T, m *harness.Member, title string) {
	t.Helper()
	made, err := m.Exports.MakeExport(ctx, &webv1.MakeExportRequest{})
	require.NoError(t, err)
	page, err := m.Get(ctx, made.GetUrl())
	require.NoError(t, err)
	// The copy is made while it is downloaded. Between the link and the download a device was used, or an event of the purchase came.
	size := int64(len(page.Body))
	require.Equal(t, page.ContentLength, size, "the whole copy")
	require.InEpsilon(t, made.GetBytes(), size, 0.01, "as large as was said")
	z, err := zip.NewReader(strings.NewReader(page.Body), size)
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		body, err := io.ReadAll(r)
		require.NoError(t, err)
		_, name, _ := strings.Cut(f.Name, "/")
		files[name] = string(body)
		if path.Dir(name) == "audio" {
			require.Greater(t, len(body), 100_000, "a minute of sound and more")
			files["audio"] = name
		}
	}
	for _, text := range []string{m.Email, title, "Terms and privacy", "S-1", "Your orders", files["audio"]} {
		require.Contains(t, files["index.html"], text)
	}
	require.NotEmpty(t, files["audio"])
}

// buysMembership pays for the first plan that is sold, and waits until it is the member's.
func buysMembership(ctx context.Context, t *testing.T, m *harness.Member) {
	t.Helper()
	plans, err := m.Shop.GetMemberships(ctx, &webv1.GetMembershipsRequest{})
	require.NoError(t, err)
	i := slices.IndexFunc(plans.GetPlans(), func(p *webv1.MembershipCard) bool {
		return p.GetMonthly().GetAction() == webv1.CardAction_CARD_ACTION_ADD
	})
	require.GreaterOrEqual(t, i, 0)
	added, err := m.Basket.AddToBasket(ctx, &webv1.AddToBasketRequest{RequestId: uuid.NewString(), ProductId: plans.GetPlans()[i].GetId(), Size: "month"})
	require.NoError(t, err)
	begun, err := m.Basket.Checkout(ctx, &webv1.CheckoutRequest{RequestId: uuid.NewString(), Version: added.GetBasket().GetVersion()})
	require.NoError(t, err)
	require.NoError(t, product.ControlPayments(ctx, "pay", map[string]any{"session": path.Base(begun.GetUrl()), "card": "4242424242424242"}, nil))
	require.NoError(t, harness.Eventually(ctx, "the order", func(ctx context.Context) (bool, error) {
		order, err := m.Orders.GetOrder(ctx, &webv1.GetOrderRequest{OrderId: begun.GetOrderId()})
		return order.GetOrder().GetState() == webv1.OrderState_ORDER_STATE_COMPLETED, err
	}))
}

// search finds each text in everything that the product has written: every row of every database, and every file beside them, but for
// the mailbox of the member, which is theirs, and the provider of payments, which is somebody else. Of the log a uid may stand there
// for 30 days, as the privacy policy says.
func search(ctx context.Context, t *testing.T, texts []string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, service := range stack.Databases() {
		for text, tables := range rowsWith(ctx, t, service, texts) {
			found[text] = append(found[text], tables...)
		}
	}
	require.NoError(t, filepath.WalkDir(product.Dir, func(at string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(product.Dir, at)
		switch {
		case os.IsNotExist(err):
			return nil // it was there a moment ago
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"postgres", "inbox"}, name):
			return fs.SkipDir
		case entry.IsDir() || strings.HasPrefix(name, "payments.json"):
			return nil
		}
		data, err := os.ReadFile(at)
		if os.IsNotExist(err) {
			return nil
		}
		for i, text := range texts {
			isUID := i == len(texts)-1
			if bytes.Contains(data, []byte(text)) && (!isUID || !strings.HasPrefix(name, "logs")) {
				found[text] = append(found[text], name)
			}
		}
		return err
	}))
	return found
}

// rowsWith are the tables of a service's database that hold a text, as text or as bytes. Each row is written out once.
func rowsWith(ctx context.Context, t *testing.T, service string, texts []string) map[string][]string {
	t.Helper()
	url, err := product.DatabaseURL(service)
	require.NoError(t, err)
	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	rows, err := conn.Query(ctx, `SELECT table_schema || '.' || quote_ident(table_name), table_name FROM information_schema.tables
		WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`)
	require.NoError(t, err)
	type table struct{ Address, Name string }
	tables, err := pgx.CollectRows(rows, pgx.RowToStructByPos[table])
	require.NoError(t, err)
	found := map[string][]string{}
	for _, at := range tables {
		rows, err := conn.Query(ctx, `SELECT DISTINCT sought FROM (SELECT r::text AS words FROM `+at.Address+` AS r OFFSET 0) AS written
			JOIN unnest($1::text[]) AS sought
			ON position(sought IN words) > 0 OR position(encode(convert_to(sought, 'UTF8'), 'hex') IN words) > 0`, texts)
		require.NoError(t, err, at.Name)
		there, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err, at.Name)
		for _, text := range there {
			found[text] = append(found[text], service+"."+at.Name)
		}
	}
	return found
}
