package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"serein.app/deploy/e2e/harness"
)

// lighthouseDir holds Lighthouse and the script that audits one page with it.
const lighthouseDir = "deploy/load/lighthouse"

// audits of each page; the median of each category counts.
const audits = 5

// journeyOwn is how many meditations the member has whose My Journey is audited.
const journeyOwn = 60

// whole is Lighthouse's best score, asked for where nothing depends on the machine.
const whole = 100

// audited is a page and what is asked of it, by Lighthouse's category; cookie is a member's, empty for a visitor.
type audited struct {
	name, path, cookie string
	targets            []target
}

type target struct {
	category string
	least    float64
}

// everything is asked of the pages that visitors find by a search.
var everything = []target{{"performance", 98}, {"accessibility", whole}, {"best-practices", whole}, {"seo", whole}}

// measureLighthouse audits pages of the running product as a phone.
func measureLighthouse(ctx context.Context, b *bench) (figures []Figure, err error) {
	product, leave, err := openProduct(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	pages, err := auditedPages(ctx, product)
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		of, err := b.auditPage(ctx, product.URL(), p)
		if err != nil {
			return figures, fmt.Errorf("%s: %w", p.name, err)
		}
		figures = append(figures, of...)
	}
	return figures, nil
}

func auditedPages(ctx context.Context, product *harness.Harness) ([]audited, error) {
	member, err := product.NewMember(ctx)
	if err != nil {
		return nil, err
	}
	if err := giveOwn(ctx, product, member, journeyOwn); err != nil {
		return nil, err
	}
	cookie, err := member.CookieHeader()
	return []audited{
		{name: "Home", path: "/", targets: everything},
		{name: "Articles", path: "/articles", targets: everything},
		{name: "open article", path: openArticle, targets: everything},
		{name: "About", path: "/about", targets: everything},
		{name: fmt.Sprintf("My Journey with %d items", journeyOwn), path: "/journey", cookie: cookie, targets: []target{{"performance", 95}}},
		{name: "library of a member", path: "/meditation-library", cookie: cookie, targets: []target{{"performance", 95}}},
	}, err
}

// auditPage audits a page again and again, and says which audits lost something.
func (b *bench) auditPage(ctx context.Context, origin string, p audited) ([]Figure, error) {
	b.say("  %s", p.name)
	scores := map[string][]float64{}
	for range audits {
		a, err := runAudit(ctx, origin+p.path, p.cookie)
		if err != nil {
			return nil, err
		}
		for category, score := range a.Scores {
			scores[category] = append(scores[category], score)
		}
		b.say("    %v", a)
	}
	return p.figures(scores)
}

// figures are the medians, each beside its target.
func (p audited) figures(scores map[string][]float64) ([]Figure, error) {
	var figures []Figure
	for _, t := range p.targets {
		if len(scores[t.category]) != audits {
			return nil, fmt.Errorf("%d of %d audits scored %s", len(scores[t.category]), audits, t.category)
		}
		median := Quantity{median(scores[t.category]), ""}
		figures = append(figures, Figure{Name: p.name + ", " + t.category, Value: median}.above(t.least))
	}
	return figures, nil
}

// audit is what audit.mjs found on one page.
type audit struct {
	// URL is where the browser ended, without leave to open the page elsewhere.
	URL string `json:"url"`
	// Scores are 0 to 100, by category.
	Scores map[string]float64 `json:"scores"`
	// Lost are the audits that kept a category from 100.
	Lost []string `json:"lost"`
}

func (a audit) String() string {
	var scores []string
	for category, score := range a.Scores {
		scores = append(scores, fmt.Sprintf("%s %.0f", category, score))
	}
	slices.Sort(scores)
	return strings.Join(append(scores, a.Lost...), ", ")
}

func runAudit(ctx context.Context, url, cookie string) (audit, error) {
	chromium, err := exec.LookPath(cmp.Or(os.Getenv("CHROMIUM"), "/usr/bin/chromium"))
	if err != nil {
		return audit{}, err
	}
	page, err := json.Marshal(map[string]string{"url": url, "cookie": cookie})
	if err != nil {
		return audit{}, err
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "node", "audit.mjs")
	cmd.Dir, cmd.Stdin, cmd.Stderr = lighthouseDir, bytes.NewReader(page), &said
	cmd.Env = append(os.Environ(), "CHROMIUM="+chromium)
	out, err := cmd.Output()
	if err != nil {
		return audit{}, fmt.Errorf("%s: %w\n%s", cmd, err, said.Bytes())
	}
	var a audit
	if err := json.Unmarshal(out, &a); err != nil {
		return audit{}, err
	}
	if a.URL != url {
		return audit{}, fmt.Errorf("%s led to %s", url, a.URL)
	}
	return a, nil
}
