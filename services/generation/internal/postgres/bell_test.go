package postgres

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

func testBell(t *testing.T) *Bell {
	t.Helper()
	cfg, err := pgx.ParseConfig("postgres://nobody@127.0.0.1:1/none")
	require.NoError(t, err)
	return NewBell(cfg, testkit.Logger(t))
}

func TestTheBellRingsThoseWhoListenAndForgetsThoseWhoLeft(t *testing.T) {
	t.Parallel()
	b := testBell(t)
	here, stopHere := b.Listen("a")
	alsoHere, stopAlso := b.Listen("a")
	elsewhere, stopElsewhere := b.Listen("b")
	b.ring("a")
	b.ring("a")
	<-here
	<-alsoHere
	require.Empty(t, here, "rings that nobody fetched yet are one")
	require.Empty(t, elsewhere)
	stopHere()
	b.ringAll()
	<-alsoHere
	<-elsewhere
	require.Empty(t, here)
	stopAlso()
	stopElsewhere()
	require.Empty(t, b.topics, "nothing is left of a listener")
}
