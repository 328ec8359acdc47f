package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"serein.app/deploy/local/readme"
)

// page is the one whose tables -write writes.
const page = "docs/capacity.md"

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "capacity:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("capacity", flag.ContinueOnError)
	demand := tenMillion()
	members := flags.Float64("members", demand.Members, "how many members there are; a tenth as many meditations a day")
	write := flags.Bool("write", false, "write the tables of "+page)
	playDay := flags.Bool("day", false, "play a day of the studio")
	seed := flags.Uint64("seed", 1, "of the day that is played")
	most := flags.Int("most", 0, "the most processors that narration may have on that day; 0 for what the demand needs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	demand = demand.of(*members)
	switch {
	case *write:
		return writePage(".")
	case *playDay:
		studio := studioFor(demand)
		if *most > 0 {
			studio.Most = *most
		}
		_, err := io.WriteString(out, dayTable([]named{{"this day", studio, demand}}, *seed))
		return err
	}
	text, err := tables(".", demand)
	if err == nil {
		for _, name := range slices.Sorted(maps.Keys(text)) {
			if _, err := fmt.Fprintf(out, "%s\n\n%s\n", name, text[name]); err != nil {
				return err
			}
		}
	}
	return err
}

// writePage writes the tables between their marks.
func writePage(root string) error {
	repository, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer func() { _ = repository.Close() }()
	old, err := repository.ReadFile(page)
	if err != nil {
		return err
	}
	text, err := tables(root, tenMillion())
	if err != nil {
		return err
	}
	for name, table := range text {
		if old, err = between(old, name, table); err != nil {
			return err
		}
	}
	return repository.WriteFile(page, old, 0o600)
}

// between puts a table between the marks that name it.
func between(text []byte, name, table string) ([]byte, error) {
	begin, end := []byte("<!-- "+name+": begin -->\n"), []byte("<!-- "+name+": end -->")
	from, to := bytes.Index(text, begin), bytes.Index(text, end)
	if from < 0 || to < from {
		return nil, fmt.Errorf("%s has no marks for %s", page, name)
	}
	return slices.Concat(text[:from+len(begin)], []byte(table), text[to:]), nil
}

// tables are those of the page, by their names.
func tables(root string, d Demand) (map[string]string, error) {
	need := Of(d)
	reached, err := limits(root, d, need)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"needs": needTable(need), "processors": processorTable(need), "money": moneyTable(need, listPrices(), d),
		"first": limitTable(reached), "days": dayTable(days(d), 1),
	}, nil
}

func needTable(n Need) string {
	var t strings.Builder
	t.WriteString(readme.Head("what", "how much"))
	for _, row := range [][2]string{
		{"tables and indexes after a year", amount(n.Rows)},
		{"recordings after a year", amount(n.Files)},
		{"events at the brokers, 30 days", amount(n.Events)},
		{"store of spoken sentences", amount(n.Spoken)},
		{"write-ahead log in the busiest hour", amount(n.Log) + " a second"},
		{"sound to members in the busiest hour", amount(n.Sound) + " a second"},
		{"sound to members in a month", amount(n.Egress)},
	} {
		t.WriteString(readme.Row(row[0], row[1]))
	}
	return t.String()
}

func processorTable(n Need) string {
	var t strings.Builder
	t.WriteString(readme.Head("program", "processors in the busiest hour"))
	for _, program := range slices.Sorted(maps.Keys(n.Processors)) {
		t.WriteString(readme.Row(program, round(n.Processors[program])))
	}
	return t.String()
}

func moneyTable(n Need, p Prices, d Demand) string {
	c := p.Month(n)
	all := c.Processors + c.Databases + c.Files + c.Egress
	var t strings.Builder
	t.WriteString(readme.Head("for", "pounds a month"))
	for _, row := range []struct {
		name   string
		pounds float64
	}{{"processors, as if the busiest hour lasted all day", c.Processors}, {"databases, three copies", c.Databases}, {"files, after a year", c.Files}, {"sound to members", c.Egress}, {"together", all}} {
		t.WriteString(readme.Row(row.name, round(row.pounds)))
	}
	t.WriteString(readme.Row("for a thousand members", round(1000*all/d.Members)))
	return t.String()
}

func limitTable(reached []Limit) string {
	var t strings.Builder
	t.WriteString(readme.Head("what is reached", "at so many members", "what to change"))
	for _, l := range reached {
		t.WriteString(readme.Row(l.Name, round(l.Members), l.Change))
	}
	return t.String()
}

// named is a day to be played.
type named struct {
	name   string
	studio Studio
	demand Demand
}

// studioFor has room for the busiest hour at busy, and a sixth of it all night.
func studioFor(d Demand) Studio {
	most := int(Of(d).Processors["narration"]) + 1
	return Studio{Least: most/6 + 1, Most: most, Starts: 90, Target: 10}
}

// days show what helps and what hurts.
func days(d Demand) []named {
	usual := studioFor(d)
	half, slow, cold := usual, usual, d
	half.Most = usual.Most / 2
	slow.Starts = 600
	cold.Kept = 0
	return []named{
		{"as worked out above", usual, d},
		{"half of the processors", half, d},
		{"a further processor takes ten minutes to start", slow, d},
		{"no sentence is kept", usual, cold},
	}
}

func dayTable(days []named, seed uint64) string {
	var t strings.Builder
	t.WriteString(readme.Head("day", "processors, at most", "asked for", "refused", "half begin within", "95 in 100 within", "the longest wait"))
	for _, d := range days {
		day := d.studio.play(d.demand, seed)
		t.WriteString(readme.Row(d.name, round(float64(day.Processors)), round(float64(day.Asked)), fmt.Sprintf("%.1f %%", 100*float64(day.Refused)/float64(max(1, day.Asked))),
			fmt.Sprintf("%.1f s", day.Median), fmt.Sprintf("%.1f s", day.Most95), fmt.Sprintf("%.0f s", day.Worst)))
	}
	return t.String()
}

// amount writes bytes with the unit that leaves the fewest digits.
func amount(bytes float64) string {
	for _, unit := range []struct {
		name string
		size float64
	}{{"TiB", tib}, {"GiB", gib}, {"MiB", mib}} {
		if bytes >= unit.size {
			return fmt.Sprintf("%.3g %s", bytes/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.0f KiB", bytes/kib)
}

// round keeps two digits, and writes thousands with commas: an estimate has no more.
func round(n float64) string {
	if n < 10 {
		return fmt.Sprintf("%.2g", n)
	}
	scale := 1.0
	for n/scale >= 100 {
		scale *= 10
	}
	text := fmt.Sprintf("%.0f", float64(int(n/scale+0.5))*scale)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
