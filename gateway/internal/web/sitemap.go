package web

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"serein.app/gateway/internal/upstream"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/platform/cached"
	"serein.app/services/platform/contentage"
	"serein.app/services/platform/guard"
)

// sitemap is content's, kept for all who ask.
type sitemap struct {
	*cached.Value[datedSitemap]
}

// datedSitemap was true at that time.
type datedSitemap struct {
	*contentv1.GetSitemapResponse

	asOf time.Time
}

func newSitemap(c contentv1connect.PageServiceClient, log *slog.Logger, now func() time.Time) sitemap {
	return sitemap{cached.New(publicAnswer("sitemap", log, now, func(ctx context.Context) (datedSitemap, error) {
		ctx, heard := upstream.WithAge(ctx)
		asked := now()
		res, err := c.GetSitemap(ctx, &contentv1.GetSitemapRequest{})
		age, _ := heard.Get()
		return datedSitemap{res, asked.Add(-age)}, err
	}))}
}

// urlSet is a sitemap (https://www.sitemaps.org/protocol.html).
type urlSet struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []sitemapURL `xml:"url"`
}

type sitemapURL struct {
	Location string `xml:"loc"`
	// Changed is YYYY-MM-DD.
	Changed  string `xml:"lastmod,omitempty"`
	Priority string `xml:"priority,omitempty"`
}

// mostURLs is how many a sitemap may have.
const mostURLs = 50_000

// crawled is how long a sitemap may be kept.
const crawled = "public, max-age=3600"

// Sitemap answers GET /sitemap.xml: the pages that everybody may open, every article and every course.
func (s *Screens) Sitemap(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), partTime)
	defer cancel()
	found, err := s.sitemap.Get(ctx)
	if err != nil {
		guard.Refuse(w, r, err)
		return
	}
	body, err := xml.MarshalIndent(s.urls(found.GetSitemapResponse), "", " ")
	if err != nil {
		guard.Refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.Header().Set("Cache-Control", crawled)
	contentage.Set(w.Header(), s.Now().Sub(found.asOf))
	_, _ = io.WriteString(w, xml.Header)
	_, _ = w.Write(body)
}

func (s *Screens) urls(found *contentv1.GetSitemapResponse) urlSet {
	var out urlSet
	for _, group := range found.GetGroups() {
		for _, p := range group.GetPages() {
			if p.GetProtected() || !s.IsPage(p.GetPath()) {
				continue
			}
			out.URLs = append(out.URLs, sitemapURL{Location: string(s.Site) + p.GetPath(), Priority: fmt.Sprintf("%.1f", p.GetPriority())})
		}
	}
	for _, a := range found.GetArticles() {
		out.URLs = append(out.URLs, sitemapURL{Location: string(s.Site) + "/articles/" + a.GetSlug(), Changed: a.GetChanged()})
	}
	for _, slug := range found.GetCourses() {
		out.URLs = append(out.URLs, sitemapURL{Location: string(s.Site) + "/courses/" + slug})
	}
	out.URLs = out.URLs[:min(len(out.URLs), mostURLs)]
	return out
}

// securityLife is how long what security.txt says may be believed; each answer begins it again. RFC 9116, 2.5.5, asks for less than a year.
const securityLife = 180 * 24 * time.Hour

// SecurityTxt answers GET /.well-known/security.txt (RFC 9116): where to write to about a fault of security.
func (s *Screens) SecurityTxt(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", crawled)
	_, _ = fmt.Fprintf(w, "Contact: %s/contact\nExpires: %s\nPreferred-Languages: en\nCanonical: %s/.well-known/security.txt\n",
		s.Site, s.Now().Add(securityLife).UTC().Truncate(24*time.Hour).Format(time.RFC3339), s.Site)
}

// Robots answers GET /robots.txt: calls are no pages, and the rest is in the sitemap.
func (s *Screens) Robots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", crawled)
	_, _ = fmt.Fprintf(w, "User-agent: *\nDisallow: /api/\nDisallow: /auth/\n\nSitemap: %s/sitemap.xml\n", s.Site)
}
