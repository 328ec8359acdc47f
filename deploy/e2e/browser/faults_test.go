package browser

import (
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/wait"
)

const payForm = `<form method="post" action="/pay"><button>Pay</button></form>`

func TestAPostThatIsAnsweredLateIsWaitedForAndSentOnce(t *testing.T) {
	var paid atomic.Int64
	base := site(t, map[string]string{"/": payForm}, map[string]http.HandlerFunc{"POST /pay": counted(&paid, 2*time.Second, "<p>It is paid.")})
	tab := chromium.Person(t, base, Desk)
	tab.Go("/")
	tab.limits.answer = 500 * time.Millisecond
	tab.Click("button", "Pay")
	tab.Text("It is paid.")
	require.EqualValues(t, 1, paid.Load())
}

func TestAPostThatIsNeverAnsweredFailsInTimeAndIsNamed(t *testing.T) {
	var asked atomic.Int64
	base := site(t, map[string]string{"/": payForm}, map[string]http.HandlerFunc{"POST /pay": counted(&asked, time.Hour, "")})
	words, took := fault(t, func(tb testing.TB) {
		tb.Helper()
		tab := chromium.Person(tb, base, Desk)
		tab.Go("/")
		tab.Eval(`console.error("a price is missing")`)
		tab.Click("button", "Pay")
		impatient(tab)
		tab.Text("It is paid.")
	})
	require.Less(t, took, time.Minute)
	for _, want := range []string{"could not the page says It is paid.", `press the button "Pay"`, "a navigation is open: POST " + base + "/pay", "a price is missing"} {
		require.Contains(t, words, want)
	}
	require.Less(t, len(words), 2*mostEvidence)
	pictures, err := filepath.Glob("out/*-fault.png")
	require.NoError(t, err)
	require.LessOrEqual(t, len(pictures), 1) // a page that is leaving may give none
	require.EqualValues(t, 1, asked.Load())
}

func TestAFaultKeepsAPictureAndThePagesWords(t *testing.T) {
	base := site(t, map[string]string{"/": "<h1>Half-way tote</h1>"}, nil)
	words, _ := fault(t, func(tb testing.TB) {
		tb.Helper()
		tab := chromium.Person(tb, base, Desk)
		tab.Go("/?code=secret#secret")
		tab.limits.patience = time.Second
		tab.See("button", "Add to basket")
	})
	for _, want := range []string{`could not see the button "Add to basket"`, "it is not there", "the page " + base + "/,", "Half-way tote"} {
		require.Contains(t, words, want)
	}
	require.NotContains(t, words, "secret")
	_, err := os.Stat(filepath.Join("out", t.Name()+"-fault.png"))
	require.NoError(t, err)
}

func TestACrashedPageFailsTheStepUnderWay(t *testing.T) {
	base := site(t, map[string]string{"/": "<h1>Here</h1>"}, nil)
	words, took := fault(t, func(tb testing.TB) {
		tb.Helper()
		tab := chromium.Person(tb, base, Desk)
		tab.Go("/")
		go func() { _ = chromedp.Do(tab.window, chromedp.Navigate("chrome://crash")) }()
		tab.See("button", "Never")
	})
	require.Contains(t, words, "the page has crashed")
	require.Less(t, took, wait.Patience/2)
}

func TestAWindowIsMetAndClosesAndFailsWhatIsAskedOfItThen(t *testing.T) {
	base := site(t, map[string]string{
		"/": `<button onclick="window.open('/small')">Open</button>`, "/small": `<button onclick="window.close()">Close</button>`,
	}, nil)
	words, took := fault(t, func(tb testing.TB) {
		tb.Helper()
		tab := chromium.Person(tb, base, Desk)
		tab.Go("/")
		popup := tab.Popup(func() { tab.Click("button", "Open") })
		popup.Click("button", "Close")
		popup.Closed()
		tab.See("button", "Open")
		popup.See("button", "Close")
	})
	require.Contains(t, words, `could not see the button "Close"`)
	require.Contains(t, words, "the window has closed")
	require.Less(t, took, wait.Patience/2)
}

func TestAWindowThatDoesNotOpenIsNamed(t *testing.T) {
	base := site(t, map[string]string{"/": `<button>Open</button>`}, nil)
	words, _ := fault(t, func(tb testing.TB) {
		tb.Helper()
		tab := chromium.Person(tb, base, Desk)
		tab.Go("/")
		tab.limits.patience = time.Second
		tab.Popup(func() {})
	})
	require.Contains(t, words, errNoWindow.Error())
}
