package device_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/device"
)

func TestADeviceIsNamedAsItsPersonCallsIt(t *testing.T) {
	t.Parallel()
	const webkit = "AppleWebKit/537.36 (KHTML, like Gecko) "
	for userAgent, want := range map[string]device.Device{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0":                                                           {device.Computer, "Windows computer, Firefox"},
		"Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0":                                                                     {device.Computer, "Linux computer, Firefox"},
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15":                      {device.Computer, "Mac, Safari"},
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + webkit + "Chrome/142.0.0.0 Safari/537.36":                                                     {device.Computer, "Windows computer, Chrome"},
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + webkit + "Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0":                                       {device.Computer, "Windows computer, Edge"},
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + webkit + "Chrome/142.0.0.0 Safari/537.36 OPR/126.0.0.0":                                       {device.Computer, "Windows computer, Opera"},
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) " + webkit + "Chrome/142.0.0.0 Safari/537.36":                                                      {device.Computer, "Chromebook, Chrome"},
		"Mozilla/5.0 (X11; Linux x86_64) " + webkit + "HeadlessChrome/142.0.0.0 Safari/537.36":                                                       {device.Computer, "Linux computer, Chrome"},
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1":    {device.Phone, "iPhone, Safari"},
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1":     {device.Phone, "iPhone, Chrome"},
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/145.0 Mobile/15E148 Safari/605.1.15":  {device.Phone, "iPhone, Firefox"},
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) EdgiOS/142.0 Mobile/15E148 Safari/605.1.15": {device.Phone, "iPhone, Edge"},
		"Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1":             {device.Tablet, "iPad, Safari"},
		"Mozilla/5.0 (Linux; Android 10; K) " + webkit + "Chrome/142.0.0.0 Mobile Safari/537.36":                                                     {device.Phone, "Android phone, Chrome"},
		"Mozilla/5.0 (Linux; Android 10; K) " + webkit + "Chrome/142.0.0.0 Safari/537.36":                                                            {device.Tablet, "Android tablet, Chrome"},
		"Mozilla/5.0 (Linux; Android 10; K) " + webkit + "SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36":                                 {device.Phone, "Android phone, Samsung Internet"},
		"Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0":                                                                       {device.Phone, "Android phone, Firefox"},
		"Mozilla/5.0 (Linux; Android 10; K) " + webkit + "Chrome/142.0.0.0 Mobile Safari/537.36 EdgA/142.0.0.0":                                      {device.Phone, "Android phone, Edge"},
		"Mozilla/5.0 (Linux; Android 10; K) " + webkit + "Version/4.0 Chrome/142.0.0.0 Mobile DuckDuckGo/5 Safari/537.36":                            {device.Phone, "Android phone, DuckDuckGo"},
		"Mozilla/5.0 (X11; FreeBSD amd64; rv:145.0) Gecko/20100101 Firefox/145.0":                                                                    {device.Other, "Firefox"},
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64)":                                                                                                  {device.Computer, "Windows computer"},
		"curl/8.5.0":                          {device.Other, "Unknown browser"},
		"":                                    {device.Other, "Unknown browser"},
		"Your account is closed: call 0800 1": {device.Other, "Unknown browser"},
	} {
		require.Equal(t, want, device.Of(userAgent), userAgent)
	}
}

func TestAPlaceIsTheCityOfATimeZoneAndNoWordOfAStrangers(t *testing.T) {
	t.Parallel()
	for zone, want := range map[string]string{
		"Europe/London": "London", "America/New_York": "New York", "America/Argentina/Buenos_Aires": "Buenos Aires", "Asia/Kolkata": "Kolkata",
		"Antarctica/DumontDUrville": "DumontDUrville", "Pacific/Auckland": "Auckland", "America/Port-au-Prince": "Port-au-Prince",
		"": "", "UTC": "", "GMT": "", "Etc/GMT+3": "", "Local": "", "Europe/": "", "/London": "", "Europe": "", "Europe/Your_account_is_closed": "",
		"Europe/../Europe/London": "", "Europe/London\x00": "", "Europe/" + strings.Repeat("x", 1<<10): "", "posix/Europe/London": "",
	} {
		require.Equal(t, want, device.Place(zone), zone)
	}
}

func FuzzNoBrowsersWordsComeOut(f *testing.F) {
	f.Add("Mozilla/5.0 (iPhone)", "Europe/London")
	f.Fuzz(func(t *testing.T, userAgent, zone string) {
		if d := device.Of(userAgent); len(d.Name) == 0 || len(d.Name) > 64 {
			t.Fatal(d.Name)
		}
		if len(device.Place(zone)) > 64 {
			t.Fatal(zone)
		}
	})
}
