package main

import (
	"fmt"
	"strings"
)

// row is a figure under the part it belongs to.
type row struct {
	part   string
	figure Figure
}

// table writes the rows as Markdown that reads well in a terminal, too.
func table(rows []row) string {
	cells := [][]string{{"part", "figure", "measured", "limit", "ratio", "target", "met"}}
	for _, r := range rows {
		cells = append(cells, r.cells())
	}
	widths := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, cell := range line {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var out strings.Builder
	for i, line := range cells {
		writeLine(&out, line, widths)
		if i == 0 {
			rule := make([]string, len(widths))
			for j, w := range widths {
				rule[j] = strings.Repeat("-", w)
			}
			writeLine(&out, rule, widths)
		}
	}
	return out.String()
}

func (r row) cells() []string {
	f := r.figure
	limit, ratio, met := "", "", ""
	if f.LimitName != "" {
		limit = f.LimitName + " " + f.Limit.String()
		ratio = fmt.Sprintf("%.2f", f.Ratio())
	}
	if f.Target != "" {
		met = map[bool]string{true: "yes", false: "NO"}[f.Met]
	}
	return []string{r.part, f.Name, f.Value.String(), limit, ratio, f.Target, met}
}

func writeLine(out *strings.Builder, cells []string, widths []int) {
	for i, cell := range cells {
		out.WriteString("| " + cell + strings.Repeat(" ", widths[i]-len([]rune(cell))+1))
	}
	out.WriteString("|\n")
}
