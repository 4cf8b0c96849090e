// @vitest-environment jsdom
// An export had a date and no note though records of it could not be read, or a list was refused.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { strFromU8, unzipSync } from 'fflate'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { UnreadValue } from '../../../contract/schemas/read-records.ts'
import { ArchivePreview } from '../../../src/features/archive/archive-preview.tsx'
import { ArchiveSection } from '../../../src/features/archive/archive-section.tsx'
import { signedManifest, type Manifest } from '../../../src/features/archive/format.ts'
import { archiveMessages as messages } from '../../../src/features/archive/messages.ts'
import { readArchive } from '../../../src/features/archive/read-archive.ts'
import { unreadOf } from '../../../src/features/archive/use-contents.ts'
import { writeArchive } from '../../../src/features/archive/write-archive.ts'
import { exportMessages } from '../../../src/features/export/messages.ts'
import { saveList } from '../../../src/features/export/save-list.ts'
import { sync } from '../../../src/sync/client.ts'
import type { ServerReport } from '../../../src/sync/core/pull/read-report.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { dismissToasts, Toaster } from '../../../src/ui/overlay/toast.tsx'
import * as files from '../../../src/ui/platform/save-text-file.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { manifestOf, originOf } from './archive-fixture.ts'

vi.mock(import('../../../src/ui/platform/save-text-file.ts'), async (load) => ({
  ...(await load()),
  saveFile: vi.fn(),
  saveTextFile: vi.fn(),
}))

const ALL_READ: ServerReport = { unread: [], refused: {}, notKept: {} }
const value = (
  collection: string,
  id: string | null,
  leftOut: 'record' | 'field',
): UnreadValue => ({
  collection,
  id,
  path: 'name',
  type: 'number',
  reason: 'text',
  leftOut,
})
const NOT_READ: ServerReport = {
  ...ALL_READ,
  unread: [
    value('accounts', 'a', 'record'),
    value('accounts', 'a', 'record'),
    value('actions', null, 'record'),
    value('success_plans', 'p', 'field'),
    value('getUserinfo', null, 'field'),
  ],
  refused: { initiatives: 403 },
  partial: ['initiatives'],
}
const COUNTS = { records: 2, fields: 1, lists: 1 }
const AT = Date.parse('2026-03-05T09:59:00.000Z')

/** The engine, which has no network, publishes its own state when its start goes on. */
function publish(report: ServerReport) {
  vi.spyOn(sync().readReport, 'get').mockReturnValue(report)
  vi.spyOn(sync().lastSyncedAt, 'get').mockReturnValue(AT)
}
const show = (page: React.ReactNode) =>
  render(
    <QueryProvider>
      <MemoryRouter>{page}</MemoryRouter>
      <Toaster />
    </QueryProvider>,
  )

beforeAll(async () => {
  // jsdom does not say so of localhost.
  Object.defineProperty(window, 'isSecureContext', { value: true })
  await openOffline()
})
beforeEach(() => {
  vi.spyOn(sync().capabilities, 'get').mockReturnValue('')
  for (const name of ['accounts', 'success_plans', 'initiatives', 'actions', 'organisation_users'])
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), [])
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('of what could not be read the records, fields and lists are counted that an archive has', () => {
  expect(unreadOf(NOT_READ)).toEqual(COUNTS)
  expect(unreadOf(ALL_READ)).toEqual({ records: 0, fields: 0, lists: 0 })
})

test.each([
  ['with all read', ALL_READ, new Date(AT).toISOString(), { records: 0, fields: 0, lists: 0 }],
  ['with something not read', NOT_READ, null, COUNTS],
])('%s the export and its manifest say so', async (_, report, as_of, unread) => {
  publish(report)
  const saved = vi.mocked(files.saveFile).mockReset()
  show(<ArchiveSection organisation={{ id: 'north', name: 'North' } as Organisation} />)
  const button = screen.getByRole('button', { name: messages.export })
  await waitFor(() => expect(button.getAttribute('aria-disabled')).not.toBe('true'))
  const isNoted = screen.queryByText(messages.unread(COUNTS), { exact: false }) !== null
  const isDated = screen.queryByText(messages.asOf(AT), { exact: false }) !== null
  expect({ isNoted, isDated }).toEqual({ isNoted: as_of === null, isDated: as_of !== null })
  button.click()
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  const blob = saved.mock.calls[0]?.[1] as Blob
  const { 'manifest.json': manifest } = unzipSync(new Uint8Array(await blob.arrayBuffer()))
  expect(JSON.parse(strFromU8(manifest ?? new Uint8Array()))).toMatchObject({ as_of, unread })
})

const NO_RECORDS = {
  people: [],
  accounts: [],
  success_plans: [],
  success_plan_updates: [],
  initiatives: [],
  actions: [],
  templates: [],
}

test('an archive of an earlier build, which did not count it, is read', async () => {
  const { unread: _, ...origin } = originOf('north', 'North')
  const { bytes } = await writeArchive(NO_RECORDS, origin as ReturnType<typeof originOf>)
  expect(strFromU8(unzipSync(bytes)['manifest.json'] ?? new Uint8Array())).not.toContain('unread')
  expect(await readArchive(bytes)).toMatchObject({ ok: true, manifest: { unread: { lists: 0 } } })
  expect(await signedManifest(origin)).toContain('checksum')
})

const preview = (manifest: Manifest, unread: Manifest['unread']) => (
  <ArchivePreview
    manifest={manifest}
    restoration={{
      calls: [],
      counts: { templates: { added: 0, known: 0 } } as never,
      missing: [],
      problems: [],
      unknown: [],
    }}
    unread={unread}
    mayAddTemplates
    progress={undefined}
    onStop={() => {}}
    onAdd={() => {}}
  />
)

test('the preview of an import says what was not read, by the one who made it or here', () => {
  const manifest = manifestOf('north', 'North')
  show(preview({ ...manifest, unread: COUNTS }, manifest.unread))
  screen.getByText(messages.notRead(COUNTS))
  expect(screen.queryByText(messages.targetUnread)).toBe(null)
  cleanup()
  show(preview(manifest, COUNTS))
  screen.getByText(messages.targetUnread)
  expect(screen.queryByText(messages.notRead(COUNTS))).toBe(null)
})

test.each([
  ['accounts', NOT_READ, true],
  ['success_plans', NOT_READ, true],
  ['initiatives', NOT_READ, true],
  ['accounts', ALL_READ, false],
] as const)('the CSV file of %s says what could not be read: %#', async (name, report, isSaid) => {
  publish(report)
  show(null)
  await saveList(name, 'list.csv', () => '', 'Exported')
  const said = isSaid ? exportMessages.unread('Exported') : 'Exported'
  await screen.findByText(said)
  dismissToasts(said)
})
