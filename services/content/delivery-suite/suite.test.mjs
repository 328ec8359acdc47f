// The public client `contentful`, unmodified, against the delivery API of delivery_test.go's world. The Go test that runs
// this gives the address, the tokens and a way to change the world meanwhile.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createClient } from 'contentful'

const { DELIVERY_HOST: host, DELIVERY_TOKEN: accessToken, WORLD_URL: world } = process.env
const options = { space: 'serein', accessToken, host, insecure: true, retryOnError: false }
const client = createClient(options)

/** Changes the world: publish or remove. */
const change = async (what, body) => {
  const answer = await fetch(`${world}/${what}`, { method: 'POST', body: JSON.stringify(body) })
  assert.equal(answer.status, 200)
}
const ids = (list) => list.items.map((item) => item.sys.id)
const sorted = (list) => ids(list).sort().join(' ')
const post = (query) => client.getEntries({ content_type: 'post', ...query })

/** The error of a call that must fail, as the client gives it: its message is JSON where the API answered. */
const refused = async (call) => {
  try {
    await call
  } catch (error) {
    return error
  }
  assert.fail('the call was answered')
}

test('the space and what belongs to it', async () => {
  const space = await client.getSpace()
  assert.equal(space.sys.id, 'serein')
  assert.deepEqual(space.locales.map((l) => l.code), ['en-GB', 'de-DE', 'fr-FR'])
  const locales = await client.getLocales()
  assert.equal(locales.items.find((l) => l.code === 'de-DE').fallbackCode, 'en-GB')
  assert.equal(locales.items.find((l) => l.default).sys.type, 'Locale')
  const types = await client.getContentTypes()
  assert.equal(sorted(types), 'author post')
  assert.deepEqual(ids(await client.getContentTypes({ order: ['-sys.id'], limit: 1 })), ['post'])
  const type = await client.getContentType('post')
  assert.equal(type.displayField, 'title')
  assert.equal(type.fields.find((f) => f.id === 'labels').items.type, 'Symbol')
  assert.equal((await refused(client.getContentType('nothing'))).name, 'NotFound')
})

test('tags', async () => {
  assert.equal(sorted(await client.getTags()), 'featured old')
  assert.equal(sorted(await client.getTags({ 'name[match]': 'feat' })), 'featured')
  assert.equal(sorted(await client.getTags({ 'name[in]': ['Old', 'New'] })), 'old')
  assert.equal((await client.getTag('old')).name, 'Old')
  assert.equal((await refused(client.getTag('none'))).name, 'NotFound')
})

test('the taxonomy', async () => {
  assert.equal(sorted(await client.getConceptSchemes()), 'moods')
  assert.equal((await client.getConceptScheme('moods')).totalConcepts, 3)
  assert.equal(sorted(await client.getConcepts({ conceptScheme: 'moods' })), 'calm dream sleep')
  assert.equal((await client.getConcept('calm')).prefLabel['en-GB'], 'Calm')
  assert.equal(sorted(await client.getConceptAncestors('dream')), 'calm sleep')
  assert.equal(sorted(await client.getConceptAncestors('dream', { depth: 1 })), 'sleep')
  assert.equal(sorted(await client.getConceptDescendants('calm', { order: ['sys.createdAt'] })), 'dream sleep')
  const first = await client.getConcepts({ limit: 2 })
  const token = new URL(first.pages.next).searchParams.get('pageNext')
  assert.deepEqual(ids(await client.getConcepts({ limit: 2, pageNext: token })), ['sleep'])
})

test('an entry and what it links to', async () => {
  const entry = await client.getEntry('p1')
  assert.equal(entry.fields.title, 'Morning calm')
  assert.equal(entry.fields.author.fields.name, 'Ada')
  assert.equal(entry.fields.cover.fields.file.contentType, 'image/jpeg')
  assert.equal(entry.fields.related[0].fields.title, 'Evening calm')
  assert.equal(entry.fields.related[1].sys.type, 'Link', 'what is gone stays a link')
  assert.equal(entry.fields.secret, undefined)
  const missing = await refused(client.getEntry('nobody'))
  assert.equal(missing.sys.id, 'NotFound')
  assert.equal(missing.message, 'The resource could not be found.')
  const two = await client.getEntry('ada', { include: 2 })
  assert.equal(two.fields.best.fields.author, two, 'a circle leads back to the same entry')
  assert.equal((await client.getEntry('p1', { include: 0 })).fields.author.sys.type, 'Link')
})

test('the modifiers of the client', async () => {
  const raw = await client.withoutLinkResolution.getEntry('p1')
  assert.equal(raw.fields.author.sys.type, 'Link')
  const resolvable = await client.withoutUnresolvableLinks.getEntry('p1')
  assert.equal(resolvable.fields.related.length, 1)
  const all = await client.withAllLocales.getEntry('p1')
  assert.deepEqual(all.fields.title, { 'en-GB': 'Morning calm', 'de-DE': 'Ruhe am Morgen' })
  assert.equal(all.sys.locale, undefined)
  assert.equal(all.fields.author['en-GB'].fields.name['en-GB'], 'Ada')
  const both = await client.withAllLocales.withoutLinkResolution.getEntries({ 'sys.id': 'p1' })
  assert.equal(both.items[0].fields.author['en-GB'].sys.type, 'Link')
  const neither = await client.withAllLocales.withoutUnresolvableLinks.getEntry('p1')
  assert.equal(neither.fields.related['en-GB'].length, 1)
  assert.equal((await client.withAllLocales.getAsset('cover')).fields.title['de-DE'], 'Ein See')
  assert.equal((await client.withLocaleBasedPublishing.getEntries({ limit: 1 })).items.length, 1)
})

test('locales and their fallbacks', async () => {
  assert.equal((await client.getEntry('p1', { locale: 'de-DE' })).fields.title, 'Ruhe am Morgen')
  assert.equal((await client.getEntry('p2', { locale: 'de-DE' })).fields.title, 'Evening calm')
  assert.equal((await client.getEntry('p1', { locale: 'fr-FR' })).fields.title, undefined)
  assert.equal((await client.getAsset('cover', { locale: 'de-DE' })).fields.title, 'Ein See')
  assert.equal((await refused(client.getEntries({ locale: 'it-IT' }))).name, 'BadRequest')
})

test('includes and errors', async () => {
  const list = await client.getEntries({ 'sys.id': 'p1', include: 1 })
  assert.deepEqual(list.errors.map((e) => e.details.id), ['gone'])
  assert.deepEqual(list.includes.Asset.map((a) => a.sys.id), ['cover'])
  assert.equal((await client.getEntries({ 'sys.id': 'p1', include: 0 })).includes, undefined)
  assert.equal((await refused(client.getEntries({ include: 11 }))).name, 'BadRequest')
  const everything = await client.getEntries({ include: 10 })
  assert.equal(everything.includes?.Entry, undefined, 'includes repeat no entry of items')
})

test('assets', async () => {
  assert.equal((await client.getAsset('cover')).fields.file.details.image.width, 640)
  assert.equal((await refused(client.getAsset('nothing'))).name, 'NotFound')
  assert.equal(sorted(await client.getAssets()), 'cover voice')
  assert.equal(sorted(await client.getAssets({ mimetype_group: 'audio' })), 'voice')
  assert.equal(sorted(await client.getAssets({ 'fields.file.details.size[gt]': 4000 })), 'voice')
  assert.equal(sorted(await client.getAssets({ 'fields.title[match]': 'lake' })), 'cover')
  assert.deepEqual(ids(await client.getAssets({ order: ['fields.file.details.size'] })), ['cover', 'voice'])
  assert.equal(sorted(await client.getAssets({ query: 'dawn' })), 'cover')
  const page = await client.getAssetsWithCursor({ limit: 1 })
  assert.deepEqual(ids(await client.getAssetsWithCursor({ limit: 1, pageNext: page.pages.next })), ['cover'])
})

// Every operator on every type of field that has it: values, each with what it finds.
const operators = {
  'fields.title': { '': ['Evening calm', 'p2'], ne: ['Evening calm', 'p1 p3'], in: [['Evening calm', 'x'], 'p2'], nin: [['Evening calm'], 'p1 p3'], exists: [true, 'p1 p2 p3', false, ''], match: ['even', 'p2'], all: [['Evening calm'], 'p2'] },
  'fields.body': { '': ['Rest.', 'p2'], ne: ['Rest.', 'p1 p3'], in: [['Rest.'], 'p2'], nin: [['Rest.'], 'p1 p3'], exists: [true, 'p1 p2', false, 'p3'], match: ['breathe slow', 'p1'], all: [['Rest.'], 'p2'] },
  'fields.rich': { match: ['lavender', 'p1'], exists: [true, 'p1', false, 'p2 p3'] },
  'fields.order': { '': [10, 'p2'], ne: [10, 'p1 p3'], in: [[1, 2], 'p1 p3'], nin: [[1, 2], 'p2'], exists: [true, 'p1 p2 p3', false, ''], lt: [2, 'p1'], lte: [2, 'p1 p3'], gt: [2, 'p2'], gte: [2, 'p2 p3'] },
  'fields.rating': { '': [4.5, 'p1'], ne: [4.5, 'p2 p3'], in: [[4.5, -2], 'p1 p2'], nin: [[4.5], 'p2 p3'], exists: [true, 'p1 p2', false, 'p3'], lt: [0, 'p2'], lte: [-2, 'p2'], gt: [0.5, 'p1'], gte: [4.5, 'p1'] },
  'fields.on': { '': ['2026-03-01T09:00:00Z', 'p2'], ne: ['2026-03-01', 'p2 p3'], in: [['2026-03-01'], 'p1'], nin: [['2026-03-01'], 'p2 p3'], exists: [true, 'p1 p2', false, 'p3'], lt: ['2026-03-01T01:00:00Z', 'p1'], lte: ['2026-03-02', 'p1 p2'], gt: ['2026-03-01', 'p2'], gte: ['2026-03-01', 'p1 p2'] },
  'fields.open': { '': [true, 'p1', false, 'p2'], ne: [true, 'p2 p3'], in: [[true, false], 'p1 p2'], nin: [[true], 'p2 p3'], exists: [true, 'p1 p2', false, 'p3'] },
  'fields.place': {
    near: [[48, 2], 'p1 p2 p3'],
    // A circle of kilometres; boxes, of which one holds all three, one crosses the day line and one has its corners the wrong way up.
    within: [[48, 2, 350], 'p2', [48, 2, 600], 'p1 p2', [50, -1, 52, 1], 'p1', [-90, -180, 90, 180], 'p1 p2 p3', [-90, 150, 90, -179], 'p3', [52, -1, 50, 1], ''],
    exists: [true, 'p1 p2 p3', false, ''],
  },
  'fields.data': { exists: [true, 'p1', false, 'p2 p3'] },
  'fields.labels': { '': ['calm', 'p1 p2'], ne: ['dawn', 'p2 p3'], in: [['dawn', 'dusk'], 'p1 p2'], nin: [['dawn'], 'p2 p3'], all: [['calm', 'dusk'], 'p2'], exists: [true, 'p1 p2', false, 'p3'], match: ['dus', 'p2'] },
  'fields.author': { exists: [true, 'p1 p2', false, 'p3'] },
  'fields.author.sys.id': { '': ['ada', 'p1'], ne: ['ada', 'p2 p3'], in: [['ada', 'grace'], 'p1 p2'], nin: [['ada'], 'p2 p3'], exists: [true, 'p1 p2', false, 'p3'] },
  'fields.cover': { exists: [true, 'p1', false, 'p2 p3'] },
  'fields.cover.sys.id': { '': ['cover', 'p1'], ne: ['cover', 'p2 p3'], in: [['cover', 'voice'], 'p1'], nin: [['voice'], 'p1 p2 p3'], exists: [true, 'p1', false, 'p2 p3'] },
  'fields.related': { exists: [true, 'p1', false, 'p2 p3'] },
  'fields.related.sys.id': { '': ['p2', 'p1'], ne: ['p2', 'p2 p3'], in: [['p2', 'p3'], 'p1'], nin: [['p2'], 'p2 p3'], all: [['p2', 'gone'], 'p1', ['p2', 'p3'], ''], exists: [true, 'p1', false, 'p2 p3'] },
  'sys.id': { '': ['p1', 'p1'], ne: ['p1', 'p2 p3'], in: [['p1', 'p2'], 'p1 p2'], nin: [['p1', 'p2'], 'p3'], exists: [true, 'p1 p2 p3', false, ''] },
  'sys.type': { '': ['Entry', 'p1 p2 p3'], ne: ['Entry', ''], in: [['Asset', 'Entry'], 'p1 p2 p3'], nin: [['Asset'], 'p1 p2 p3'], exists: [true, 'p1 p2 p3', false, ''] },
  'sys.contentType.sys.id': { '': ['post', 'p1 p2 p3'], ne: ['post', '', 'author', 'p1 p2 p3'], in: [['post', 'author'], 'p1 p2 p3'], nin: [['post'], '', ['author'], 'p1 p2 p3'], exists: [true, 'p1 p2 p3', false, ''] },
  'sys.createdAt': { '': ['2026-01-06T09:30:00.123Z', 'p2'], ne: ['2026-01-06T09:30:00.123Z', 'p1 p3'], in: [['2026-01-06T09:30:00.123Z'], 'p2'], nin: [['2026-01-06T09:30:00.123Z'], 'p1 p3'], exists: [true, 'p1 p2 p3', false, ''], lt: ['2026-01-06', 'p1'], lte: ['2026-01-06T09:30:00.123Z', 'p1 p2'], gt: ['2026-01-06T09:30:00.123Z', 'p3'], gte: ['2026-01-06', 'p2 p3'] },
  'sys.updatedAt': { '': ['2026-01-06T09:30:00.123Z', 'p2'], ne: ['2026-01-06T09:30:00.123Z', 'p1 p3'], in: [['2026-01-06T09:30:00.123Z'], 'p2'], nin: [['2026-01-06T09:30:00.123Z'], 'p1 p3'], exists: [true, 'p1 p2 p3', false, ''], lt: ['2026-01-06', 'p1'], lte: ['2026-01-06T09:30:00.123Z', 'p1 p2'], gt: ['2026-01-06T09:30:00.123Z', 'p3'], gte: ['2026-01-06', 'p2 p3'] },
  'sys.revision': { '': [1, 'p1 p3'], ne: [1, 'p2'], in: [[3, 4], 'p2'], nin: [[3, 4], 'p1 p3'], exists: [true, 'p1 p2 p3', false, ''], lt: [3, 'p1 p3'], lte: [3, 'p1 p2 p3'], gt: [1, 'p2'], gte: [3, 'p2'] },
  'metadata.tags.sys.id': { in: [['featured'], 'p1'], nin: [['featured'], 'p2 p3'], all: [['featured', 'old'], 'p1'] },
  'metadata.tags': { exists: [true, 'p1 p2', false, 'p3'] },
  'metadata.concepts.sys.id': { in: [['dream'], 'p1'], nin: [['dream'], 'p2 p3'], all: [['calm'], 'p2'] },
  'metadata.concepts': { exists: [true, 'p1 p2', false, 'p3'] },
  'metadata.concepts.descendants': { in: [['calm'], 'p1 p2'] },
}

// What assets and tags can be asked for besides.
const assetOperators = {
  'fields.title': { '': ['A lake', 'cover'], ne: ['A lake', 'voice'], in: [['A lake', 'x'], 'cover'], nin: [['A lake'], 'voice'], exists: [true, 'cover voice', false, ''], match: ['voi', 'voice'] },
  'fields.description': { '': ['Still water at dawn', 'cover'], ne: ['x', 'cover voice'], in: [['Still water at dawn'], 'cover'], nin: [['Still water at dawn'], 'voice'], exists: [false, 'voice'], match: ['water', 'cover'] },
  'fields.file': { exists: [true, 'cover voice', false, ''] },
  'fields.file.contentType': { '': ['audio/mpeg', 'voice'], ne: ['audio/mpeg', 'cover'], in: [['audio/mpeg'], 'voice'], nin: [['audio/mpeg'], 'cover'], exists: [false, ''], match: ['imag', 'cover'] },
  'fields.file.fileName': { '': ['lake.jpg', 'cover'], ne: ['lake.jpg', 'voice'], in: [['lake.jpg'], 'cover'], nin: [['lake.jpg'], 'voice'], exists: [true, 'cover voice'], match: ['lake', 'cover'] },
  'fields.file.url': { '': ['//media.example/a/lake.jpg', 'cover'], ne: ['//media.example/a/lake.jpg', 'voice'], in: [['//media.example/a/lake.jpg'], 'cover'], nin: [['//media.example/a/lake.jpg'], 'voice'], exists: [true, 'cover voice'] },
  'fields.file.details.size': { '': [2048, 'cover'], ne: [2048, 'voice'], in: [[1, 2048], 'cover'], nin: [[1, 2048], 'voice'], exists: [true, 'cover voice', false, ''], lt: [9000, 'cover'], lte: [9000, 'cover voice'], gt: [2048, 'voice'], gte: [2048, 'cover voice'] },
  'sys.id': { '': ['cover', 'cover'], ne: ['cover', 'voice'], in: [['cover', 'x'], 'cover'], nin: [['cover'], 'voice'], exists: [true, 'cover voice', false, ''] },
  'sys.type': { '': ['Asset', 'cover voice'], ne: ['Asset', ''] },
  'sys.createdAt': { lt: ['2026-01-04', 'cover'], lte: ['2026-01-03T09:30:00.123Z', 'cover'], gt: ['2026-01-04', 'voice'], gte: ['2026-01-04T09:30:00.123Z', 'voice'], exists: [true, 'cover voice'] },
  'sys.updatedAt': { lt: ['2026-01-04', 'cover'], lte: ['2026-01-03T09:30:00.123Z', 'cover'], gt: ['2026-01-04', 'voice'], gte: ['2026-01-04T09:30:00.123Z', 'voice'], exists: [true, 'cover voice'] },
  'sys.revision': { '': [1, 'cover voice'], ne: [1, ''], lt: [2, 'cover voice'], lte: [0, ''], gt: [0, 'cover voice'], gte: [2, ''], exists: [true, 'cover voice'] },
  'metadata.tags': { exists: [true, '', false, 'cover voice'] },
  'metadata.tags.sys.id': { in: [['featured'], ''], nin: [['featured'], 'cover voice'], all: [['featured'], ''] },
  'metadata.concepts': { exists: [false, 'cover voice'] },
}
const tagOperators = {
  name: { '': ['Old', 'old'], ne: ['Old', 'featured'], in: [['Old', 'New'], 'old'], nin: [['Old'], 'featured'], exists: [true, 'featured old', false, ''], match: ['feat', 'featured'] },
  'sys.id': { '': ['old', 'old'], ne: ['old', 'featured'], in: [['old'], 'old'], nin: [['old'], 'featured'], exists: [true, 'featured old', false, ''] },
  'sys.visibility': { '': ['public', 'featured old'], ne: ['public', ''], in: [['public', 'private'], 'featured old'], nin: [['public'], ''], exists: [true, 'featured old'] },
  'sys.createdAt': { lt: ['2026-01-02', 'featured'], lte: ['2026-01-02T09:30:00.123Z', 'featured old'], gt: ['2026-01-02', 'old'], gte: ['2026-01-02', 'old'], exists: [true, 'featured old'] },
}
const collections = {
  entries: [post, operators],
  assets: [(query) => client.getAssets(query), assetOperators],
  tags: [(query) => client.getTags(query), tagOperators],
}
for (const [collection, [list, paths]] of Object.entries(collections)) {
  for (const [path, has] of Object.entries(paths)) {
    test(`filters ${collection} by ${path}`, async () => {
      for (const [op, cases] of Object.entries(has)) {
        const name = op === '' ? path : `${path}[${op}]`
        for (let i = 0; i < cases.length; i += 2) {
          assert.equal(sorted(await list({ [name]: cases[i] })), cases[i + 1], `${name}=${cases[i]}`)
        }
      }
    })
  }
}

test('searches, links and references', async () => {
  assert.equal(sorted(await client.getEntries({ query: 'calm' })), 'p1 p2')
  assert.equal(sorted(await client.getEntries({ links_to_entry: 'p2' })), 'p1')
  assert.equal(sorted(await client.getEntries({ links_to_asset: 'cover' })), 'p1')
  assert.equal(sorted(await client.getEntries({ 'sys.contentType.sys.id': 'author' })), 'ada grace')
  assert.equal(sorted(await client.getEntries({ 'sys.contentType.sys.id[ne]': 'post' })), 'ada grace')
  assert.equal(sorted(await client.getEntries({ 'sys.contentType.sys.id[in]': ['author'] })), 'ada grace')
  assert.equal(sorted(await client.getEntries({ 'sys.contentType.sys.id[nin]': ['author'] })), 'p1 p2 p3')
  assert.equal(sorted(await post({ 'fields.author.sys.contentType.sys.id': 'author', 'fields.author.fields.name': 'Ada' })), 'p1')
  assert.equal(sorted(await post({ 'fields.author.sys.contentType.sys.id': 'author', 'fields.author.fields.born[gt]': 1900 })), 'p2')
  assert.equal(sorted(await post({ 'fields.author.sys.contentType.sys.id': 'author', 'fields.author.fields.name[match]': 'gra' })), 'p2')
  assert.equal(sorted(await post({ 'fields.author.sys.contentType.sys.id': 'author', 'fields.author.fields.name[in]': ['Ada', 'Alan'] })), 'p1')
  assert.equal(sorted(await post({ 'fields.author.sys.contentType.sys.id': 'author', 'fields.author.fields.bio[exists]': false })), 'p2')
  assert.equal(sorted(await post({ 'fields.related.sys.contentType.sys.id': 'post', 'fields.related.fields.order[gte]': 10 })), 'p1')
})

test('orders, selections and pages', async () => {
  assert.deepEqual(ids(await post({ order: ['fields.order'] })), ['p1', 'p3', 'p2'])
  assert.deepEqual(ids(await post({ order: ['-fields.open', '-sys.id'] })), ['p1', 'p2', 'p3'])
  assert.deepEqual(ids(await post({ order: ['sys.updatedAt'], limit: 2 })), ['p1', 'p2'])
  assert.deepEqual(ids(await post({ order: ['fields.title'] })), ['p2', 'p1', 'p3'])
  assert.deepEqual(ids(await post({ order: ['-fields.rating'] })), ['p1', 'p2', 'p3'])
  assert.deepEqual(ids(await post({ order: ['fields.on'] })), ['p1', 'p2', 'p3'])
  assert.deepEqual(ids(await post({ order: ['fields.place'] })), ['p3', 'p2', 'p1'])
  assert.deepEqual(ids(await post({ order: ['-fields.author.sys.id'] })), ['p2', 'p1', 'p3'])
  assert.deepEqual(ids(await post({ order: ['-sys.revision', 'sys.id'] })), ['p2', 'p1', 'p3'])
  assert.deepEqual(ids(await client.getEntries({ order: ['-sys.contentType.sys.id', '-sys.createdAt'] })), ['p3', 'p2', 'p1', 'grace', 'ada'])
  assert.deepEqual(ids(await post({ 'fields.place[near]': [48, 2] })), ['p2', 'p1', 'p3'])
  const page = await post({ order: ['sys.id'], skip: 1, limit: 1 })
  assert.deepEqual([page.total, page.skip, page.limit, ids(page)], [3, 1, 1, ['p2']])
  const chosen = await post({ select: ['fields.title'], 'sys.id': 'p1' })
  assert.deepEqual(chosen.items[0], { sys: { id: 'p1', type: 'Entry' }, fields: { title: 'Morning calm' } })
  assert.deepEqual(Object.keys((await post({ select: ['sys'], limit: 1 })).items[0]), ['sys'])
})

test('pages by cursor, there and back', async () => {
  const seen = []
  let page = await client.getEntriesWithCursor({ limit: 2, order: ['sys.createdAt'] })
  assert.equal(page.total, undefined)
  assert.equal(page.pages.prev, undefined)
  seen.push(...ids(page))
  while (page.pages.next) {
    page = await client.getEntriesWithCursor({ limit: 2, order: ['sys.createdAt'], pageNext: page.pages.next })
    seen.push(...ids(page))
  }
  assert.deepEqual(seen, ['ada', 'grace', 'p1', 'p2', 'p3'])
  page = await client.getEntriesWithCursor({ limit: 2, order: ['sys.createdAt'], pagePrev: page.pages.prev })
  assert.deepEqual(ids(page), ['p1', 'p2'])
})

test('refusals have the contract’s names and details', async () => {
  for (const [query, name] of [
    [{ 'fields.title': 'x' }, 'InvalidQuery'],
    [{ content_type: 'nothing' }, 'InvalidQuery'],
    [{ content_type: 'post', 'fields.nothing': 'x' }, 'InvalidQuery'],
    [{ content_type: 'post', 'fields.open[match]': 'x' }, 'InvalidQuery'],
    [{ content_type: 'post', order: ['fields.body'] }, 'InvalidQuery'],
    [{ limit: 1001 }, 'BadRequest'],
  ]) {
    const error = await refused(client.getEntries(query))
    assert.equal(error.name, name, JSON.stringify(query))
    const told = JSON.parse(error.message)
    assert.equal(told.status, 400)
    assert.ok(told.requestId)
  }
  const wrong = createClient({ ...options, accessToken: 'not-a-token-of-this-space' })
  assert.equal((await refused(wrong.getEntries())).name, 'AccessTokenInvalid')
  const elsewhere = createClient({ ...options, environment: 'none' })
  assert.equal((await refused(elsewhere.getEntries())).name, 'NotFound')
})

test('asset keys', async () => {
  const expires = Math.floor(Date.now() / 1000) + 3600
  const key = await client.createAssetKey(expires)
  assert.ok(key.policy && key.secret)
  assert.equal((await refused(client.createAssetKey(1))).name, 'ValidationError')
})

test('entries parsed from a raw answer', async () => {
  const raw = JSON.parse((await client.withoutLinkResolution.getEntries({ 'sys.id': 'p1' })).stringifySafe())
  assert.equal(client.parseEntries(raw).items[0].fields.author.fields.name, 'Ada')
})

test('a sync over many pages, with changes and deletions', async () => {
  const first = await client.sync({ initial: true, limit: 2 })
  assert.deepEqual([first.entries.length, first.assets.length, first.deletedEntries.length], [5, 2, 0])
  const p1 = first.entries.find((e) => e.sys.id === 'p1')
  assert.equal(p1.fields.author['en-GB'].fields.name['en-GB'], 'Ada', 'links within one sync are resolved')
  const none = await client.sync({ nextSyncToken: first.nextSyncToken })
  assert.equal(none.entries.length + none.deletedEntries.length, 0)
  await change('publish', { id: 'p4', type: 'post', fields: { title: { 'en-GB': 'New' } } })
  await change('remove', { kind: 'Entry', id: 'p3' })
  await change('remove', { kind: 'Asset', id: 'voice' })
  const second = await client.sync({ nextSyncToken: none.nextSyncToken })
  assert.deepEqual(second.entries.map((e) => e.sys.id), ['p4'])
  assert.deepEqual(second.deletedEntries.map((e) => e.sys.id), ['p3'])
  assert.deepEqual(second.deletedAssets.map((e) => e.sys.id), ['voice'])
  const typed = await client.sync({ initial: true, content_type: 'author' })
  assert.deepEqual(typed.entries.map((e) => e.sys.id), ['ada', 'grace'])
  assert.equal((await client.sync({ initial: true, type: 'Asset' })).assets.length, 1)
  assert.equal((await client.sync({ initial: true, type: 'Deletion' })).deletedEntries.length, 1)
  const page = await client.sync({ initial: true, limit: 3 }, { paginate: false })
  assert.equal(page.entries.length + page.assets.length, 3)
  const rest = await client.sync({ nextPageToken: page.nextPageToken })
  assert.ok(rest.nextSyncToken)
  assert.equal((await refused(client.sync({ nextSyncToken: `${rest.nextSyncToken}x` }))).name, 'AxiosError')
})
