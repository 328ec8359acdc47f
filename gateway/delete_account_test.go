package gateway

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
)

const deleteAccount = "/serein.web.v1.DeletionService/DeleteAccount"

func TestWhoDeletesTheAccountIsSignedOutAndToldUntilWhenItCanBeUndone(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	wrong := b.call(t, deleteAccount, `{"password":"something else"}`)
	require.Equal(t, http.StatusBadRequest, wrong.StatusCode)
	require.Equal(t, "NOT_AUTHORIZED", wrong.reason(t))
	require.Equal(t, "INVALID_ARGUMENT", b.call(t, deleteAccount, `{}`).reason(t))
	s.services.failing(identityv1connect.DeletionServiceScheduleDeletionProcedure, errAway)
	require.Equal(t, http.StatusServiceUnavailable, b.call(t, deleteAccount, `{"password":"`+leaversPassword+`"}`).StatusCode)
	require.Equal(t, http.StatusOK, b.call(t, "/serein.web.v1.ConsentService/GetConsents", "{}").StatusCode, "still signed in")

	s.services.failing(identityv1connect.DeletionServiceScheduleDeletionProcedure, nil)
	done := b.call(t, deleteAccount, `{"password":"`+leaversPassword+`"}`)
	require.Equal(t, http.StatusOK, done.StatusCode, done.body)
	require.Equal(t, "2026-12-11T09:00:00Z", at(t, tree(t, done.body), "deletesAt"))
	require.Equal(t, http.StatusUnauthorized, b.call(t, "/serein.web.v1.ConsentService/GetConsents", "{}").StatusCode)
	require.Equal(t, http.StatusUnauthorized, s.gateways[0].browser(t).call(t, deleteAccount, `{"password":"`+leaversPassword+`"}`).StatusCode)
}
