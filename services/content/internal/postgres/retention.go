package postgres

import (
	"serein.app/services/content/internal/assets"
	"serein.app/services/content/internal/diary"
	"serein.app/services/content/internal/narrate"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/retention"
)

// DeletionsKept is how long readers are told what to forget: a sync token that is older may have missed some.
const DeletionsKept = 365 * retention.Day

// RemovedKept is how long a deleted meditation can be restored.
const RemovedKept = retention.Day

// Retention lists what content removes. An item's current fields stay, and the last entry of its audit log.
func Retention() []retention.Policy {
	return []retention.Policy{
		{
			Name: "deletions", Table: "deletions", Column: "deleted_at", Keep: DeletionsKept,
			Reason: "A reader that returns with a sync token learns what to delete. A reader that was away for over a year starts its sync again.",
		},
		{
			Name: "removed", Table: "items", Column: "deleted_at", Keep: RemovedKept,
			Reason: "An admin can restore a deleted meditation for a day. All other items are published content and stay.",
		},
		{
			Name: "revisions", Table: "revisions", Column: "at", Where: "superseded", Keep: 5 * 365 * retention.Day,
			Reason: "Who changed what is asked for years, when a price or a promise is disputed. The last act of each item stays.",
		},
		{
			Name: "narration files", Table: "narration_files", Column: "unnamed_at", Where: "removed", Keep: narrate.KeptUnnamed,
			Reason: "These narrations speak words that an editor has since changed. A member who is listening hears the file to its end, and words that an editor brings back need no new narration. The row goes after the blob store has removed the file.",
		},
		{
			Name: "asset files", Table: "asset_files", Column: "unnamed_at", Where: "state = 'removed'", Keep: assets.KeptUnnamed,
			Reason: "The file of an asset that is deleted or has another, or that was sent and never made an asset: pages that are open show it still, and the same may be sent again. The row goes once the blob store has let go of the file.",
		},
		{
			Name: "meditations gone", Table: "search_bespoke", Column: "changed_at", Where: "state <> 'ready'", Keep: 90 * retention.Day,
			Reason: "An event of before, which may come again for 60 days, must not bring back to searches what its member has lost, and a deletion is taken back within 30.",
		},
		{
			Name: "diary entries removed", Table: "diary_entries", Column: "removed_at", Keep: diary.RestoredFor,
			Reason: "A member can take back the removal of an entry for a day. All other entries are the member's own and stay until they remove them.",
		},
		{
			Name: "sittings too short", Table: "diary_entries", Column: "heard_at", Where: "NOT shown", Keep: diary.RestoredFor,
			Reason: "What is listened to again within half an hour belongs to the same sitting. After that nobody sees what was too short for an entry.",
		},
		erasure.DepartedPolicy(),
		{
			Name: "members forgotten", Table: "search_forgotten", Column: "forgotten_at", Keep: 90 * retention.Day,
			Reason: "The same rows as departed, for the release before. A later release drops the table.",
		},
	}
}
