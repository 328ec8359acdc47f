import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import type { Item, Revision } from "@/gen/serein/web/v1/editor_pb";
import { EditorService, FieldSchema, ItemSchema, RevisionSchema, Step } from "@/gen/serein/web/v1/editor_pb";
import { failure } from "./failure";

/** The editor from memory: one type with every kind of field, its entries, the terms, pictures and a sound, and the trail. */

const HOUR = 3600;
const ago = (seconds: number) => timestampFromMs(Date.now() - seconds * 1000);

const field = (id: string, name: string, type: string, more: MessageInitShape<typeof FieldSchema> = {}) =>
  create(FieldSchema, { id, name, type, ...more });

const FIELDS = [
  field("title", "Title", "Symbol", { required: true }),
  field("slug", "Slug", "Symbol", { required: true }),
  field("category", "Category", "Symbol", { validations: [{ in: ["Gratitude", "Better Sleep"] }] }),
  field("body", "Body", "Text", { required: true }),
  field("order", "Order", "Integer"),
  field("pace", "Pace", "Number"),
  field("open", "Open", "Boolean"),
  field("date", "Date", "Date"),
  field("keywords", "Keywords", "Array", { itemsType: "Symbol" }),
  field("picture", "Picture", "Link", { linkType: "Asset" }),
  field("related", "Related", "Array", {
    itemsType: "Link",
    linkType: "Entry",
    validations: [{ linkContentType: ["article"] }],
  }),
  field("facts", "Facts", "Object"),
  field("audio", "Narration", "Symbol", { disabled: true }),
  field("narrationHash", "Narration hash", "Symbol", { disabled: true }),
];

const inEnglish = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, { "en-GB": value }]));

const link = (linkType: string, id: string) => ({ sys: { type: "Link", linkType, id } });

export const article = (id: string, title: string, values: JsonObject = {}): Item =>
  create(ItemSchema, {
    id,
    contentType: "article",
    title,
    version: 3,
    publishedVersion: 2,
    createdAt: ago(48 * HOUR),
    updatedAt: ago(HOUR),
    fields: inEnglish({ title, slug: id, body: "## Rain\n\nIt falls.", ...values }),
  });

/** A file as content keeps it, by the hash of its bytes. */
const file = (fileName: string, contentType: string): JsonObject => ({
  url: `//serein/media/assets/${"5e".repeat(32)}/${fileName}`,
  fileName,
  contentType,
});

const asset = (id: string, title: string, of: JsonObject, publishedVersion = 1): Item =>
  create(ItemSchema, {
    id,
    title,
    version: 2,
    publishedVersion,
    updatedAt: ago(HOUR),
    fields: inEnglish({ title, file: of }),
  });

const RICH = {
  category: "Gratitude",
  order: 4,
  pace: 1.5,
  open: true,
  date: "2026-11-20",
  keywords: ["rain", "lake"],
  picture: link("Asset", "lake"),
  related: [link("Entry", "on-frost")],
  facts: { minutes: 4 },
  audio: "3f2a.mp3",
  narrationHash: "3f2a",
};

const TERMS = [field("title", "Title", "Symbol"), field("version", "Version", "Date", { required: true })];

const terms = (version: string): Item =>
  create(ItemSchema, {
    ...article("terms", "Terms"),
    contentType: "termsAndConditions",
    version: 4,
    fields: inEnglish({ title: "Terms", version }),
  });

/** A list whose objects have ids of their own, and lead to entries. */
const COURSE = [
  field("title", "Title", "Symbol", { required: true }),
  field("days", "Days", "Object", {
    required: true,
    validations: [
      { size: { min: 1, max: 60 } },
      {
        properties: {
          list: true,
          each: [
            { id: "id", name: "Id", type: "Symbol", required: true, validations: [{ unique: true }] },
            {
              id: "title",
              name: "Title",
              type: "Symbol",
              required: true,
              validations: [{ size: { max: 80 } }],
            },
            { id: "line", name: "Line of the day", type: "Symbol", validations: [{ size: { max: 240 } }] },
            {
              id: "article",
              name: "Article",
              type: "Symbol",
              validations: [{ linkContentType: ["article"] }],
            },
          ],
          anyOf: ["article"],
        },
      },
    ],
  }),
];

const course = (): Item =>
  create(ItemSchema, {
    ...article("evenings", "Seven Quiet Evenings"),
    contentType: "course",
    fields: inEnglish({
      title: "Seven Quiet Evenings",
      days: [
        { id: "rain", title: "Rain on the roof", line: "Leave it on.", article: "on-rain" },
        { id: "frost", title: "A white morning", article: "on-frost" },
        { id: "stones", title: "Stones", article: "on-rain" },
      ],
    }),
  });

const keyOf = (item: Item): string => `${item.contentType === ""} ${item.id}`;
const copyOf = (item: Item): Item => create(ItemSchema, { ...item });

export function mockEditor(router: ConnectRouter) {
  const items = new Map(
    [
      article("on-rain", "On rain, and being early", RICH),
      article("on-frost", "On frost"),
      create(ItemSchema, { ...article("a-draft", "A draft about stones"), publishedVersion: 0, version: 1 }),
      terms("2026-11-21"),
      course(),
      asset("lake", "A lake in the morning", file("lake.png", "image/png")),
      asset("gate", "A gate", file("gate.png", "image/png"), 0),
      asset("brook", "A brook", file("brook.mp3", "audio/mpeg")),
    ].map((item) => [keyOf(item), item]),
  );
  const revisions: Revision[] = [];
  const note = (item: Item, act: string, changed: string[], actorName = "Amara") =>
    revisions.unshift(
      create(RevisionSchema, {
        key: { asset: item.contentType === "", id: item.id },
        contentType: item.contentType,
        title: item.title,
        version: item.version,
        act,
        actor: actorName ? "0193f2c0-0000-7000-8000-000000000001" : "seed",
        actorName,
        at: ago(HOUR - revisions.length * 60),
        changed,
      }),
    );
  for (const item of items.values()) note({ ...item, version: 1 }, "create", [], "");
  for (const item of items.values()) if (item.version > 2) note({ ...item, version: 2 }, "publish", []);
  for (const item of items.values()) if (item.version > 2) note(item, "update", ["title", "body"]);
  const copied = { ...article("staging", "Environment staging"), contentType: "environment", version: 1 };
  note(copied, "create", []);

  const found = (key: { asset: boolean; id: string } | undefined): Item => {
    const item = items.get(`${key?.asset === true} ${key?.id}`);
    if (!item) throw failure(Code.NotFound, "There is no such item.", "ITEM_NOT_FOUND", "");
    return item;
  };
  const seen = (key: { asset: boolean; id: string } | undefined, version: number): Item => {
    const item = found(key);
    if (item.version !== version)
      throw failure(Code.AlreadyExists, "Somebody has changed it since.", "VERSION_MISMATCH", "");
    return item;
  };
  const written = (item: Item, fields: JsonObject | undefined, act: string) => {
    const title = (fields?.["title"] as JsonObject | undefined)?.["en-GB"];
    const next = create(ItemSchema, {
      ...item,
      version: item.version + 1,
      fields: { ...item.fields, ...fields },
      title: typeof title === "string" ? title : item.title,
      updatedAt: ago(0),
    });
    items.set(keyOf(next), next);
    note(next, act, Object.keys(fields ?? {}));
    return { item: copyOf(next) };
  };
  router.service(EditorService, {
    listContentTypes: () => ({
      contentTypes: [
        { id: "article", name: "Article", displayField: "title", fields: FIELDS, items: 3 },
        {
          id: "quote",
          name: "Quote",
          displayField: "text",
          fields: [field("text", "Text", "Symbol")],
          items: 0,
        },
        { id: "termsAndConditions", name: "Terms", displayField: "title", fields: TERMS, items: 1 },
        { id: "course", name: "Course", displayField: "title", fields: COURSE, items: 1 },
      ],
    }),
    listItems: ({ contentType, search }) => ({
      items: [...items.values()]
        .filter((i) => i.contentType === contentType && i.title.toLowerCase().includes(search.toLowerCase()))
        .map(copyOf),
    }),
    getItem: ({ key }) => ({ item: copyOf(found(key)) }),
    createItem: ({ key, contentType, fields }) =>
      written(create(ItemSchema, { id: key?.id ?? "", contentType }), fields, "create"),
    updateItem: ({ key, version, fields }) => {
      const item = seen(key, version);
      const slug = (fields?.["slug"] as JsonObject | undefined)?.["en-GB"];
      if (slug === "taken")
        throw failure(
          Code.InvalidArgument,
          "Another article has this slug.",
          "ITEM_INVALID",
          "fields.slug.en-GB",
        );
      return written(item, fields, "update");
    },
    changeItem: ({ key, version, step }) => {
      const item = seen(key, version);
      if (step === Step.DELETE) {
        items.delete(keyOf(item));
        return {};
      }
      const named = item.fields?.["version"] as JsonObject | undefined;
      if (step === Step.PUBLISH && named?.["en-GB"] === "2026-11-21")
        throw failure(Code.InvalidArgument, "Give it a new version.", "LEGAL_VERSION_TAKEN", "version");
      const publishedVersion =
        step === Step.PUBLISH ? version : step === Step.UNPUBLISH ? 0 : item.publishedVersion;
      const archived = step === Step.ARCHIVE || (item.archived && step !== Step.UNARCHIVE);
      return written({ ...item, publishedVersion, archived }, undefined, Step[step].toLowerCase());
    },
    restoreRevision: ({ key, version }) => written(seen(key, version), undefined, "update"),
    uploadAsset: ({ id, title, fileName }) =>
      written(create(ItemSchema, { id, title }), inEnglish({ title, file: { fileName } }), "create"),
    previewText: ({ markdown }) => ({ html: `<h2>Rain</h2><p>${markdown.length} letters.</p>` }),
    listRevisions: ({ key, search }) => ({
      revisions: revisions.filter(
        (r) =>
          (!key || (r.key?.id === key.id && r.key.asset === key.asset)) &&
          `${r.actorName} ${r.act} ${r.title}`.toLowerCase().includes(search.toLowerCase()),
      ),
    }),
  });
  return {
    /** Somebody else saves an entry. */
    meanwhile: (id: string, values: JsonObject) =>
      written(found({ asset: false, id }), inEnglish(values), "update"),
    item: (id: string): Item | undefined => items.get(`false ${id}`),
    asset: (id: string): Item | undefined => items.get(`true ${id}`),
    all: () => [...items.values()],
  };
}
