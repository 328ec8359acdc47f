package credits_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
)

func TestAnEntrySaysWhatItWasWrittenForWhateverWasDoneToIt(t *testing.T) {
	t.Parallel()
	for cause, want := range map[string]string{
		"trial:uid": "trial", "expiry:trial:uid": "trial", "expiry:trial:uid:hold:id": "trial",
		"subscription:sub:1": "subscription", "reversal:subscription:sub:1:799": "subscription", "change:sub:1": "change",
		"order:id:1": "order", "reversal:order:id:1:100": "order",
		"referral:uid:referrer": "referral", "reversal:referral:uid:referrer": "referral",
		"referral:uid:friend": "invitation", "reversal:referral:uid:friend": "invitation",
		"operator:key": "operator", "reversal:operator:key": "operator", "expiry:operator:key": "operator",
		"hold:id": "", "refund:id:plan": "",
	} {
		require.Equal(t, want, credits.Entry{Cause: cause}.Of(), cause)
	}
	for _, cause := range []string{"release:id", "failed_renewal:sub:1"} {
		require.Empty(t, credits.Entry{Cause: cause, Number: 1}.Of(), cause)
	}
}
