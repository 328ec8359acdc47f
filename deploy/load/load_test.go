package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPercentilesAreValuesThatWereMeasured(t *testing.T) {
	t.Parallel()
	var values []time.Duration
	for i := range 40 {
		values = append(values, time.Duration(40-i)*time.Second)
	}
	require.Equal(t, 20*time.Second, percentile(values, 50))
	require.Equal(t, 38*time.Second, percentile(values, 95))
	require.Equal(t, 40*time.Second, percentile(values, 100))
	require.Equal(t, time.Second, percentile(values, 0))
	require.Zero(t, percentile(nil, 50))
	require.Equal(t, 40*time.Second, values[0], "the values stay in their order")
	require.InDelta(t, 2, median([]float64{3, 1, 2}), 0)
	require.InDelta(t, 1, median([]float64{2, 1}), 0)
	require.Zero(t, median(nil))
}

func TestNumbersReadWell(t *testing.T) {
	t.Parallel()
	for want, n := range map[string]float64{
		"0.43": 0.434, "8.60": 8.6, "86.9": 86.94, "617": 617.4, "1,230": 1234, "48,400": 48399, "-1,230": -1234, "1,000,000": 1e6,
	} {
		require.Equal(t, want, digits(n))
	}
	require.Equal(t, "0.43 s", Quantity{0.43, "s"}.String())
}

func TestATargetIsMetOrNot(t *testing.T) {
	t.Parallel()
	wait := Figure{Name: "wait", Value: Quantity{0.9, "s"}}
	require.True(t, wait.below(1).Met)
	require.False(t, wait.below(0.9).Met)
	require.Equal(t, "< 0.9 s", wait.below(0.9).Target)
	rate := Figure{Name: "rate", Value: Quantity{400, "/s"}}.against("bare", 1000)
	require.InDelta(t, 0.4, rate.Ratio(), 1e-9)
	require.False(t, rate.atLeast(0.5).Met)
	require.True(t, rate.atLeast(0.4).Met)
	require.True(t, rate.atMost(0.4).Met)
	require.False(t, rate.atMost(0.3).Met)
	require.Equal(t, "≤ 1.5 of it", rate.atMost(1.5).Target)
	require.Zero(t, wait.Ratio())
}

var someRows = []row{
	{"start", Figure{Name: "warm start, worst", Value: Quantity{0.6, "s"}}.below(5)},
	{"billing", Figure{Name: "holds and captures, RPC and relay", Value: Quantity{400, "/s"}}.against("pgbench", 1000).atLeast(0.5)},
}

func TestTheTableIsMarkdownInColumns(t *testing.T) {
	t.Parallel()
	require.Equal(t, strings.TrimPrefix(`
| part    | figure                            | measured | limit            | ratio | target      | met |
| ------- | --------------------------------- | -------- | ---------------- | ----- | ----------- | --- |
| start   | warm start, worst                 | 0.60 s   |                  |       | < 5 s       | yes |
| billing | holds and captures, RPC and relay | 400 /s   | pgbench 1,000 /s | 0.40  | ≥ 0.5 of it | NO  |
`, "\n"), table(someRows))
}

func TestTheReadmeTakesTheTableAndALineOfTheLedger(t *testing.T) {
	t.Parallel()
	readme := "head\n" + tableBegins + "\nthe last table\n" + tableEnds + "\nledger\n| one |\n" + ledgerEnds + "\nfoot\n"
	got, err := stamp{"2026-01-02", "abc1234"}.update(readme, someRows)
	require.NoError(t, err)
	require.NotContains(t, got, "the last table")
	require.Contains(t, got, "2026-01-02, commit abc1234, ")
	require.Contains(t, got, table(someRows)+tableEnds)
	require.Contains(t, got, "| one |\n| 2026-01-02 | abc1234 |  |  |  | 0.40 |  | 0.60 s |  |  |  |\n"+ledgerEnds+"\nfoot\n")
	for _, broken := range []string{"", tableBegins, tableBegins + tableEnds} {
		_, err := stamp{}.update(broken, someRows)
		require.Error(t, err)
	}
}

func TestBenchmarksAreRead(t *testing.T) {
	t.Parallel()
	got := parseBench("goos: linux\nBenchmarkGatewayBareHop-2 \t 100\t 81066 ns/op\t 7.5 p99-ms\t 7700 req/s\nBenchmarkGatewayBareHop-2 100 1 ns/op 7900 req/s\nPASS\n")
	rate, err := got.get("GatewayBareHop", "req/s")
	require.NoError(t, err)
	require.InDelta(t, 7700, rate, 0)
	_, err = got.get("GatewayBareHop", "B/op")
	require.Error(t, err)
	all := results{}
	all.add(got)
	all.add(got)
	require.Len(t, all["GatewayBareHop"]["req/s"], 4)
}

func TestProcessesAreRead(t *testing.T) {
	t.Parallel()
	p, err := parseStat("42 (a (b) c) S 7 42 42 0 -1 4194560 100 200 0 0 11 22 33 44 20 0 1 0 100 0 0")
	require.NoError(t, err)
	require.Equal(t, process{pid: 42, parent: 7, name: "a (b) c", used: 1100 * time.Millisecond}, p)
	for _, broken := range []string{"", "42", "42 (a) S 1", "x (a) S 7 42 42 0 -1 4194560 100 200 0 0 11 22 33 44 20"} {
		_, err := parseStat(broken)
		require.Error(t, err, broken)
	}
	kb, err := parsePSS([]byte("00400000-7ffd r--p 00:00 0 [rollup]\nRss:     2048 kB\nPss:     1024 kB\nPss_Dirty:  1 kB\n"))
	require.NoError(t, err)
	require.InDelta(t, 1024, kb, 0)
	_, err = parsePSS(nil)
	require.Error(t, err)
}

func TestPartsAreChosenByName(t *testing.T) {
	t.Parallel()
	all, err := choose("")
	require.NoError(t, err)
	require.Len(t, all, len(parts))
	two, err := choose("memory,first-audio")
	require.NoError(t, err)
	require.Equal(t, "first-audio", two[0].name)
	require.Len(t, two, 2)
	_, err = choose("memory,nothing")
	require.Error(t, err)
}

func TestAPageIsHeldToTheMediansOfItsAudits(t *testing.T) {
	t.Parallel()
	p := audited{name: "Home", targets: []target{{"performance", 98}, {"seo", 100}}}
	scores := map[string][]float64{"performance": {97, 99, 98, 60, 100}, "seo": {100, 92, 92, 92, 100}}
	figures, err := p.figures(scores)
	require.NoError(t, err)
	require.Equal(t, []Figure{
		{Name: "Home, performance", Value: Quantity{98, ""}, Target: "≥ 98", Met: true},
		{Name: "Home, seo", Value: Quantity{92, ""}, Target: "≥ 100"},
	}, figures)
	_, err = audited{name: "Home", targets: everything}.figures(scores)
	require.ErrorContains(t, err, "0 of 5 audits scored accessibility", "a category that was not scored is no 0")
}

func TestTheScriptOfPgbenchIsOneStatementALine(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(creditsScript()), "\n")
	require.Len(t, lines, 3)
	require.Contains(t, lines[1], "to_hex(:m::bigint)")
	require.Contains(t, lines[2], "spend_hold(:hold_id, ")
}

func TestTheScriptOfAnAdditionTakesWhatItsStatementsAnswer(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(additionScript()), "\n")
	require.Len(t, lines, 8)
	require.Equal(t, []string{"BEGIN;", "COMMIT;"}, []string{lines[1], lines[7]})
	require.Regexp(t, `^SELECT id AS basket .* \\gset$`, lines[2])
	require.Contains(t, lines[5], "version = :version::bigint + 1")
	require.NotContains(t, lines[5], "gset")
}
