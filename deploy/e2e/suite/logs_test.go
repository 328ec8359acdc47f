package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARunThatFailedReportsTheLastWarningsOfEachLog(t *testing.T) {
	t.Parallel()
	logs := t.TempDir()
	var billing strings.Builder
	for n := range mostLines + 2 {
		fmt.Fprintf(&billing, `{"level":"INFO","msg":"quiet %d"}`+"\n"+`{"level":"WARN","msg":"warned %d"}`+"\n", n, n)
	}
	require.NoError(t, os.WriteFile(filepath.Join(logs, "billing.log"), []byte(billing.String()), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(logs, "mail.log"), []byte(`{"level":"ERROR","msg":"`+strings.Repeat("long ", lineMax)+`"}`), 0o600))
	report := strings.Split(strings.TrimSuffix(warnings(logs), "\n"), "\n")
	require.Len(t, report, mostLines+1)
	require.Equal(t, `billing: {"level":"WARN","msg":"warned 2"}`, report[0])
	require.Len(t, report[mostLines], len("mail: ")+lineMax)
}
