package suite

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// mostLines of a service's log stand in the report of a run that failed, each cut to lineMax bytes.
	mostLines, lineMax = 15, 400
	// longestLine of a log that is read, in bytes.
	longestLine = 1 << 20
)

// warnings are the last warnings and errors of each service's log, for the report of a run that failed.
func warnings(logs string) string {
	files, _ := filepath.Glob(filepath.Join(logs, "*.log")) // fails only of a malformed pattern
	slices.Sort(files)
	var report strings.Builder
	for _, file := range files {
		for _, line := range lastWarnings(file) {
			fmt.Fprintf(&report, "%s: %.*s\n", strings.TrimSuffix(filepath.Base(file), ".log"), lineMax, line)
		}
	}
	return report.String()
}

func lastWarnings(file string) (found []string) {
	log, err := os.Open(file)
	if err != nil {
		return []string{err.Error()}
	}
	defer func() { _ = log.Close() }()
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		if line := lines.Text(); strings.Contains(line, `"level":"WARN"`) || strings.Contains(line, `"level":"ERROR"`) {
			found = append(found, line)
			found = found[max(0, len(found)-mostLines):]
		}
	}
	return found
}
