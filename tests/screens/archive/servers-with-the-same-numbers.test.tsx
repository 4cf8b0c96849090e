// @vitest-environment jsdom
// Servers that number their ids all have an organisation 1 and an account 5: the archive of one changed what another
// one has under the same numbers.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { strFromU8, unzipSync } from 'fflate'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../contract/schemas/config.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { ArchiveSection } from '../../../src/features/archive/archive-section.tsx'
import type { Contents } from '../../../src/features/archive/format.ts'
import { archiveMessages as messages } from '../../../src/features/archive/messages.ts'
import { readArchive } from '../../../src/features/archive/read-archive.ts'
import { restore } from '../../../src/features/archive/restore.ts'
import { apiAddresses } from '../../../src/features/archive/use-contents.ts'
import { writeArchive } from '../../../src/features/archive/write-archive.ts'
import { cachedConfig } from '../../../src/features/session/cached-config.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import * as files from '../../../src/ui/platform/save-text-file.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith, planWith, updateWith } from '../fixtures/record-fixtures.ts'
import { API, manifestOf, originOf } from './archive-fixture.ts'

vi.mock(import('../../../src/ui/platform/save-text-file.ts'), async (load) => ({
  ...(await load()),
  saveFile: vi.fn(),
}))

const EVA = { id: '1', name: 'Eva Roth', email: 'eva@example.com' }
const NORTH = '01980000-0000-7000-8000-000000090001'
const SOUTH = '01980000-0000-7000-8000-000000090002'
const OTHER = 'https://other.example.com/base'

const renewal = {
  id: '1',
  due: '2026-01-31',
  outcome: 'renewed',
  amount: null,
  currency: 'EUR',
  next_date: null,
  note: null,
  user_id: null,
  recorded_at: '2026-02-01T10:00:00.000Z',
}
const nothing: Omit<Contents, 'people'> = {
  accounts: [],
  success_plans: [],
  success_plan_updates: [],
  initiatives: [],
  actions: [],
  templates: [],
}
const records: Omit<Contents, 'people'> = {
  ...nothing,
  accounts: [accountWith({ id: '5', name: 'Hafen', renewals: [renewal] })],
  success_plans: [planWith({ id: '5', account_id: '5' })],
  success_plan_updates: [updateWith({ id: '7', success_plan_id: '5', body: 'Agreed.' })],
}
const unrelated: Omit<Contents, 'people'> = {
  ...nothing,
  accounts: [accountWith({ id: '5', name: 'Alm' })],
  success_plans: [planWith({ id: '5', title: 'Another', account_id: '5' })],
}

/** Of an archive of the organisation `from`, made at the API `api`. */
const imported = (
  { from = '1', api }: { from?: string; api: string | undefined },
  to: { organisation_id: string; apis: string[]; existing?: Omit<Contents, 'people'> },
  aliases: ReadonlyMap<string, { id: string }> = new Map(),
) => {
  const { organisation, ...manifest } = manifestOf(from, 'North')
  return restore(
    { ...manifest, organisation: { ...organisation, api } },
    { people: [EVA], ...records },
    {
      existing: nothing,
      ...to,
      user: EVA,
      members: [EVA],
      aliases,
      isUnsent: () => false,
      plansWithoutUpdates: [],
      keeps: () => true,
      addsTemplates: true,
    },
  )
}
type Imported = ReturnType<typeof imported>
const idsIn = ({ calls }: Imported) =>
  calls.map(({ input }) => (input.body as { id?: string }).id ?? input.path?.['id'])
const added = ({ counts }: Imported) => [counts.accounts.added, counts.success_plans.added]

describe('an archive of a server that numbers its ids', () => {
  it.each([
    ['another server', OTHER],
    ['a server that is not known, as an earlier build wrote it', undefined],
  ])('of %s changes no record that has the same number', (_, api) => {
    const into = { organisation_id: '1', apis: [API], existing: unrelated }
    const restored = imported({ api }, into)
    expect(added(restored)).toEqual([1, 1])
    expect(idsIn(restored)).not.toContain('5')
  })

  it('adds only what is missing in its own organisation, also after the address of the API has changed', () => {
    const existing = { ...records, success_plan_updates: [] }
    for (const apis of [[API], [OTHER, API]]) {
      const restored = imported({ api: API }, { organisation_id: '1', apis, existing })
      expect(added(restored)).toEqual([0, 0])
      expect(restored.calls).toMatchObject([
        { call: 'postPlanUpdate', input: { path: { id: '5' } } },
      ])
    }
  })

  it('shares no ids with that of another server, and has the same ones each time', () => {
    const into = { organisation_id: SOUTH, apis: [] }
    const all = [API, OTHER, undefined].map((api) => idsIn(imported({ api }, into)))
    expect(new Set(all.flat()).size).toBe(all.flat().length)
    expect(idsIn(imported({ api: API }, into))).toEqual(all[0])
  })

  it('records outcomes of renewals whose numbers an account here has for other ones', () => {
    const into = { organisation_id: '1', apis: [API] }
    const [first] = idsIn(imported({ api: OTHER }, into))
    const aliases = new Map([[first ?? '', { id: '40' }]])
    const existing = { ...nothing, accounts: [accountWith({ id: '40', renewals: [renewal] })] }
    const again = imported({ api: OTHER }, { ...into, existing }, aliases)
    expect(again.calls[0]).toMatchObject({ call: 'updateAccount', input: { path: { id: '40' } } })
  })
})

it('the ids of an organisation with a UUID do not depend on the address', () => {
  const into = { organisation_id: SOUTH, apis: [] }
  const ids = [API, OTHER, undefined].map((api) => idsIn(imported({ from: NORTH, api }, into)))
  expect(ids[1]).toEqual(ids[0])
  expect(ids[2]).toEqual(ids[0])
  const existing = { ...records, success_plan_updates: [] }
  const own = imported(
    { from: NORTH, api: OTHER },
    { organisation_id: NORTH, apis: [API], existing },
  )
  expect(added(own)).toEqual([0, 0])
})

describe('the address of the API', () => {
  const configure = (config: Partial<Config>) => cachedConfig.set(config)
  beforeAll(async () => {
    Object.defineProperty(window, 'isSecureContext', { value: true })
    await openOffline()
    sync().capabilities.set('')
    for (const name of ['accounts', 'success_plans', 'initiatives', 'actions'])
      queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), [])
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', 'organisation_users'), [])
  })
  afterEach(() => {
    cleanup()
    configure({})
  })

  it('is absolute, with earlier ones, and unknown without a configuration and a session', () => {
    expect(apiAddresses()).toEqual([])
    configure({ apiBaseUrl: '', formerApiBaseUrls: ['https://old.example.com/'] })
    expect(apiAddresses()).toEqual([location.origin, 'https://old.example.com'])
    configure({ apiBaseUrl: OTHER, formerApiBaseUrls: ['/'] })
    expect(apiAddresses()).toEqual([OTHER, location.origin])
    configure({})
    const stored = sync().storedSession.get()
    sync().storedSession.set({ ...stored, api: API })
    expect(apiAddresses()).toEqual([API])
    sync().storedSession.set(stored)
  })

  it('is in the archive that is exported, and is read from it', async () => {
    configure({ apiBaseUrl: OTHER })
    const saved = vi.mocked(files.saveFile)
    render(
      <QueryProvider>
        <MemoryRouter>
          <ArchiveSection organisation={{ id: '1', name: 'North' } as Organisation} />
        </MemoryRouter>
      </QueryProvider>,
    )
    const button = screen.getByRole('button', { name: messages.export })
    await waitFor(() => expect(button.getAttribute('aria-disabled')).not.toBe('true'))
    button.click()
    await waitFor(() => expect(saved).toHaveBeenCalledOnce())
    const blob = saved.mock.calls[0]?.[1] as Blob
    const { 'manifest.json': manifest } = unzipSync(new Uint8Array(await blob.arrayBuffer()))
    expect(JSON.parse(strFromU8(manifest ?? new Uint8Array()))).toMatchObject({
      organisation: { id: '1', api: OTHER },
    })

    const { bytes } = await writeArchive({ people: [], ...nothing }, originOf('1', 'North'))
    expect(await readArchive(bytes)).toMatchObject({ manifest: { organisation: { api: API } } })
  })
})
