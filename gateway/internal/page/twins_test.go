package page

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	webv1 "serein.app/proto/gen/serein/web/v1"
)

// The app's own test of the same table is frontend/src/twins.test.ts.
func TestTheGatewayComputesWhatTheAppComputes(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../../frontend/src/twins.json")
	require.NoError(t, err)
	var table map[string][][2]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &table))
	require.Equal(t, slices.Sorted(maps.Keys(twins)), slices.Sorted(maps.Keys(table)))
	for name, rows := range table {
		require.NotEmpty(t, rows, name)
		for _, row := range rows {
			var want string
			require.NoError(t, json.Unmarshal(row[1], &want))
			require.Equal(t, want, computed(t, name, row[0]), "%s %s", name, row[0])
		}
	}
}

// computed is what a template prints that gives these arguments to a twin.
func computed(t *testing.T, name string, raw json.RawMessage) string {
	t.Helper()
	var written []any
	require.NoError(t, json.Unmarshal(raw, &written))
	call, args := name, []any{}
	for i, arg := range written {
		args = append(args, argument(t, name, arg))
		call += " (index . " + string(rune('0'+i)) + ")"
	}
	var out strings.Builder
	require.NoError(t, template.Must(template.New(name).Funcs(twins).Parse("{{"+call+"}}")).Execute(&out, args))
	return out.String()
}

// argument is one of the table as an answer has it.
func argument(t *testing.T, name string, written any) any {
	t.Helper()
	switch v := written.(type) {
	case float64:
		if name == "rows" {
			return int(v) // of len
		}
		return int32(v)
	case map[string]any:
		amount, _ := v["amount"].(float64)
		currency, _ := v["currency"].(string)
		return &webv1.Money{Amount: int64(amount), Currency: currency}
	case nil:
		if name == "money" {
			return (*webv1.Money)(nil)
		}
		return (*timestamppb.Timestamp)(nil)
	case string:
		if name == "day" || name == "date" {
			at, err := time.Parse(time.RFC3339, v)
			require.NoError(t, err)
			return timestamppb.New(at)
		}
	}
	return written
}
