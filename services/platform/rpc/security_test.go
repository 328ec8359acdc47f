package rpc_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
)

// security takes the lines of the security log.
func security(t *testing.T, log *bytes.Buffer) (records []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(log.Bytes()) {
		var record map[string]any
		require.NoError(t, json.Unmarshal(line, &record))
		if record["msg"] == "security" {
			records = append(records, record)
		}
	}
	log.Reset()
	return records
}

func TestWhoIsRefusedAndWhatAdminsDoStandInTheSecurityLog(t *testing.T) {
	t.Parallel()
	server, log, _ := observed(t, auth.Rule{Services: []string{"identity"}, Admin: true})
	refused := func(want, uid string, err error) {
		t.Helper()
		require.Error(t, err)
		lines := security(t, log)
		require.Len(t, lines, 1)
		require.Equal(t, "access", lines[0]["event"])
		require.Equal(t, want, lines[0]["outcome"])
		require.Equal(t, mailv1connect.MailServiceSendMailProcedure, lines[0]["procedure"])
		if uid != "" {
			require.Equal(t, uid, lines[0]["uid"])
		}
	}
	member := auth.WithMember(t.Context(), "u2")
	_, err := client(t, "billing", server.URL).SendMail(member, request())
	refused("forbidden", "u2", err)
	_, err = client(t, "identity", server.URL).SendMail(member, request())
	refused("admin_required", "u2", err)
	_, err = mailv1connect.NewMailServiceClient(server.Client(), server.URL).SendMail(t.Context(), request())
	refused("unauthenticated", "", err)

	admin := auth.WithSubject(t.Context(), auth.Subject{UID: "u1", Admin: true})
	_, err = client(t, "identity", server.URL).SendMail(admin, request())
	require.NoError(t, err)
	lines := security(t, log)
	require.Len(t, lines, 1)
	require.Equal(t, "admin", lines[0]["event"])
	require.Equal(t, "u1", lines[0]["uid"])
	require.Equal(t, "identity", lines[0]["caller"])
}
