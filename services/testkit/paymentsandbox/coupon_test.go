package paymentsandbox

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// coded makes a coupon with a promotion code for it, and gives both ids.
func (w *world) coded(code string, coupon ...string) (couponID, codeID string) {
	w.t.Helper()
	couponID = w.must("POST", "/v1/coupons", coupon...)["id"].(string)
	return couponID, w.code(code, couponID)["id"].(string)
}

func (w *world) code(code, couponID string, more ...string) object {
	w.t.Helper()
	return w.must("POST", "/v1/promotion_codes", append([]string{
		"promotion[type]=coupon", "promotion[coupon]=" + couponID, "code=" + code,
	}, more...)...)
}

// codes are the letters of a list.
func (w *world) codes(fields ...string) (letters []any) {
	w.t.Helper()
	for _, one := range w.must("GET", "/v1/promotion_codes", fields...)["data"].([]any) {
		letters = append(letters, one.(object)["code"])
	}
	return letters
}

func TestCouponsAndCodesAreShownByStripesDescription(t *testing.T) {
	t.Parallel()
	w := described(t)
	until := timeText(w.clock.Now().Add(time.Hour).Unix())
	percent := w.must("POST", "/v1/coupons", "id=SPRING", "name=Spring", "percent_off=12.5", "duration=repeating", "duration_in_months=3",
		"max_redemptions=10", "redeem_by="+until, "metadata[season]=spring")
	require.Equal(t, percent, w.must("GET", "/v1/coupons/SPRING"))
	require.InDelta(t, 12.5, percent["percent_off"], 0)
	require.Nil(t, percent["amount_off"])
	require.Equal(t, true, percent["valid"])
	amount := w.must("POST", "/v1/coupons", "amount_off=500", "currency=GBP", "duration=forever")
	require.InDelta(t, 500, amount["amount_off"], 0)
	require.Equal(t, "gbp", amount["currency"])
	require.Nil(t, amount["percent_off"])

	made := w.code("Spring-10", "SPRING", "expires_at="+until, "max_redemptions=5", "restrictions[first_time_transaction]=true", "metadata[for]=friends")
	require.Equal(t, object{"type": "coupon", "coupon": "SPRING"}, made["promotion"])
	require.Equal(t, true, made["restrictions"].(object)["first_time_transaction"])
	unnamed := w.must("POST", "/v1/promotion_codes", "promotion[type]=coupon", "promotion[coupon]="+amount["id"].(string))
	require.NotEmpty(t, unnamed["code"])

	require.Equal(t, []any{unnamed["code"], "Spring-10"}, w.codes())
	require.Equal(t, []any{"Spring-10"}, w.codes("code=SPRING-10"), "whatever the case")
	listed := w.must("GET", "/v1/promotion_codes", "code=spring-10", "expand[0]=data.promotion.coupon")["data"].([]any)[0].(object)
	require.Equal(t, percent, listed["promotion"].(object)["coupon"])
	switched := w.must("POST", "/v1/promotion_codes/"+made["id"].(string), "active=false")
	require.Equal(t, false, switched["active"])
	require.Equal(t, []any{"Spring-10"}, w.codes("active=false"))
	require.Equal(t, []any{unnamed["code"]}, w.codes("active=true"))
	w.must("GET", "/v1/events")
	require.Equal(t, 1, count(w, "promotion_code.updated"))
}

func TestWrongCouponsAndCodesAreRefusedAsStripeDoes(t *testing.T) {
	t.Parallel()
	w := described(t)
	w.coded("TAKEN", "id=TEN", "percent_off=10", "max_redemptions=5", "redeem_by="+timeText(w.clock.Now().Add(time.Hour).Unix()))
	ended := w.code("ENDED", "TEN")["id"].(string)
	w.must("POST", "/v1/promotion_codes/"+ended, "active=false")
	w.code("ended", "TEN")
	of := []string{"promotion[type]=coupon", "promotion[coupon]=TEN"}
	for name, one := range map[string]struct {
		path   string
		fields []string
		code   any
	}{
		"neither":                      {"coupons", nil, "parameter_missing"},
		"both":                         {"coupons", []string{"percent_off=10", "amount_off=100", "currency=gbp"}, nil},
		"no percent":                   {"coupons", []string{"percent_off=0"}, nil},
		"too little":                   {"coupons", []string{"percent_off=0.001"}, nil},
		"more than all":                {"coupons", []string{"percent_off=100.01"}, nil},
		"no number":                    {"coupons", []string{"percent_off=NaN"}, nil},
		"three decimals":               {"coupons", []string{"percent_off=33.333"}, nil},
		"no amount":                    {"coupons", []string{"amount_off=0", "currency=gbp"}, "parameter_invalid_integer"},
		"no currency":                  {"coupons", []string{"amount_off=100"}, nil},
		"an unknown duration":          {"coupons", []string{"percent_off=10", "duration=twice"}, nil},
		"no months":                    {"coupons", []string{"percent_off=10", "duration=repeating"}, nil},
		"the past":                     {"coupons", []string{"percent_off=10", "redeem_by=1000"}, nil},
		"a long name":                  {"coupons", []string{"percent_off=10", "name=" + strings.Repeat("n", maxCouponName+1)}, nil},
		"a far future":                 {"coupons", []string{"percent_off=10", "redeem_by=" + timeText(w.clock.Now().AddDate(6, 0, 0).Unix())}, nil},
		"never redeemed":               {"coupons", []string{"percent_off=10", "max_redemptions=0"}, "parameter_invalid_integer"},
		"an id that is there":          {"coupons", []string{"id=TEN", "percent_off=10"}, "resource_already_exists"},
		"no promotion":                 {"promotion_codes", []string{"code=NEW"}, "parameter_missing"},
		"an unknown coupon":            {"promotion_codes", []string{"promotion[type]=coupon", "promotion[coupon]=NONE"}, "resource_missing"},
		"a coupon as it was before":    {"promotion_codes", append([]string{"coupon=TEN"}, of...), "parameter_unknown"},
		"a code that is there":         {"promotion_codes", append([]string{"code=taken"}, of...), nil},
		"letters of no code":           {"promotion_codes", append([]string{"code=TEN %"}, of...), nil},
		"a code that has expired":      {"promotion_codes", append([]string{"expires_at=1000"}, of...), nil},
		"longer than its coupon":       {"promotion_codes", append([]string{"expires_at=" + timeText(w.clock.Now().Add(2*time.Hour).Unix())}, of...), nil},
		"more often than its coupon":   {"promotion_codes", append([]string{"max_redemptions=6"}, of...), nil},
		"another has its letters":      {"promotion_codes/" + ended, []string{"active=true"}, nil},
		"what no code can be told now": {"promotion_codes/" + ended, []string{"code=OTHER"}, "parameter_unknown"},
	} {
		status, answer := w.ask("POST", "/v1/"+one.path, "", one.fields...)
		require.Equal(t, http.StatusBadRequest, status, name)
		require.Equal(t, one.code, code(answer), name)
	}
	for _, path := range []string{"/v1/coupons/NONE", "/v1/coupons/ten"} {
		status, _ := w.ask("GET", path, "")
		require.Equal(t, http.StatusNotFound, status)
	}
	require.ElementsMatch(t, []any{"TAKEN", "ENDED", "ended"}, w.codes(), "what is refused leaves nothing")
}

func TestACodeIsActiveForAsLongAsItCanBeRedeemed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	until := func(after time.Duration) string { return timeText(w.clock.Now().Add(after).Unix()) }
	w.must("POST", "/v1/coupons", "id=DAY", "percent_off=10", "redeem_by="+until(24*time.Hour))
	w.code("HOUR", "DAY", "expires_at="+until(time.Hour))
	whole := w.code("DAY", "DAY")["id"].(string)
	w.code("TWO", "DAY", "expires_at="+until(2*time.Hour))
	w.clock.Move(time.Hour)
	require.Equal(t, []any{"TWO", "DAY"}, w.codes("active=true"))
	w.Advance(time.Hour)
	require.Equal(t, []any{"DAY"}, w.codes("active=true"))
	w.code("hour", "DAY")
	w.Advance(22 * time.Hour)
	require.Empty(t, w.codes("active=true"), "its coupon has ended")
	require.Equal(t, false, w.must("GET", "/v1/coupons/DAY")["valid"])
	w.must("POST", "/v1/promotion_codes/"+whole, "active=false")
	status, _ := w.ask("POST", "/v1/promotion_codes/"+whole, "", "active=true")
	require.Equal(t, http.StatusBadRequest, status)
}
