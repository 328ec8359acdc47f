package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/errs"
)

// legal is a text that members agree to.
func legal(title, version, body string) entry.Draft {
	return entry.Draft{Fields: entry.Fields{"title": {"en-GB": title}, "version": {"en-GB": version}, "body": {"en-GB": body}}}
}

// legalType is the content type of the terms, as far as the rule of versions needs it.
func legalType() entry.ContentType {
	return entry.ContentType{Environment: entry.Master, ID: entry.TermsAndConditions, Name: "Terms", DisplayField: "title", Fields: []entry.Field{
		{ID: "title", Name: "Title", Type: entry.Symbol},
		{ID: "version", Name: "Version", Type: entry.Date, Required: true},
		{ID: "description", Name: "Description", Type: entry.Text},
		{ID: "body", Name: "Body", Type: entry.Text},
	}}
}

func TestOtherWordsOfALegalTextArePublishedOnlyUnderANewVersion(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, err := h.SetContentType(t.Context(), editor, legalType())
	require.NoError(t, err)
	item, err := h.Create(t.Context(), editor, key("terms"), entry.TermsAndConditions, legal("Terms", "2027-03-01", "Be kind."))
	require.NoError(t, err)
	item, err = h.Publish(t.Context(), editor, key("terms"), item.Version)
	require.NoError(t, err)

	try := func(d entry.Draft) error {
		item, err = h.Update(t.Context(), editor, key("terms"), item.Version, d)
		require.NoError(t, err)
		after, err := h.Publish(t.Context(), editor, key("terms"), item.Version)
		if err == nil {
			item = after
		}
		return err
	}
	refused := func(d entry.Draft) {
		t.Helper()
		err := try(d)
		require.ErrorIs(t, err, entry.ErrLegalVersion)
		said := errs.From(err)
		require.Equal(t, errorsv1.Reason_REASON_LEGAL_VERSION_TAKEN, said.Reason)
		require.Equal(t, "version", said.Field)
	}
	refused(legal("Terms", "2027-03-01", "Be very kind."))
	refused(legal("Terms", "2027-03-01T18:00", "Be very kind."))
	have, err := h.Published(t.Context(), key("terms"))
	require.NoError(t, err)
	require.Equal(t, "Be kind.", have.Fields["body"]["en-GB"], "readers keep what they agreed to")

	require.NoError(t, try(legal("Terms", "2027-03-02", "Be very kind.")))
	require.NoError(t, try(legal("Our terms", "2027-03-02", "Be very kind.")), "a heading is no part of it")
	require.NoError(t, try(legal("Terms", "2027-03-01", "Be kind.")), "the words of an earlier version come back under its name")

	item, err = h.Unpublish(t.Context(), editor, key("terms"), item.Version)
	require.NoError(t, err)
	refused(legal("Terms", "2027-03-02", "Be anything."))
}

// Members agree to both texts, and to all of their words.
func TestNoPartOfALegalTextChangesUnderItsVersion(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, id := range []string{entry.TermsAndConditions, entry.PrivacyPolicy} {
		text := legalType()
		text.ID = id
		_, err := h.SetContentType(t.Context(), editor, text)
		require.NoError(t, err)
		item := h.Give(t, id, id, legal("Text", "2027-03-01", "Be kind."))
		for _, field := range []string{"description", "body"} {
			other := legal("Text", "2027-03-01", "Be kind.")
			other.Fields[field] = map[string]any{"en-GB": "Be very kind."}
			item, err = h.Update(t.Context(), editor, key(id), item.Version, other)
			require.NoError(t, err)
			_, err = h.Publish(t.Context(), editor, key(id), item.Version)
			require.ErrorIs(t, err, entry.ErrLegalVersion, "%s of %s", field, id)
		}
	}
}

func TestOtherEntriesChangeUnderTheSameVersion(t *testing.T) {
	t.Parallel()
	h := setup(t)
	other := legalType()
	other.ID = "leaflet"
	_, err := h.SetContentType(t.Context(), editor, other)
	require.NoError(t, err)
	item, err := h.Create(t.Context(), editor, key("leaflet"), "leaflet", legal("Leaflet", "2027-03-01", "One."))
	require.NoError(t, err)
	for _, body := range []string{"Two.", "Three."} {
		item, err = h.Update(t.Context(), editor, key("leaflet"), item.Version, legal("Leaflet", "2027-03-01", body))
		require.NoError(t, err)
		item, err = h.Publish(t.Context(), editor, key("leaflet"), item.Version)
		require.NoError(t, err)
	}
}
