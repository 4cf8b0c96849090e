// @vitest-environment jsdom
// A server whose pages are smaller than asked for: organisations after the first page could not be opened. Then one
// page that failed cost all of them.
import { afterEach, expect, test } from 'vitest'
import { organisationsQuery } from '../../../src/data/organisations/queries.ts'
import { CallError } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { openPlainPage } from '../fixtures/plain-page.ts'

afterEach(() => queryClient.clear())

async function openWithOrganisations(pagination: PlainOptions['pagination']) {
  const { stage } = await openPlainPage()
  const { users, options } = stage.plain
  Object.assign(options, { pagination, pageSize: 15 })
  for (let count = 2; count <= 40; count += 1)
    stage.plain.addOrganisation(users[0]!, `Org ${count}`)
  return stage
}

test.for(['length-aware', 'simple', 'cursor', 'cursor-alone', 'total'] as const)(
  'all organisations are read, with pages by %s',
  async (pagination) => {
    const stage = await openWithOrganisations(pagination)
    const before = stage.plain.requests.length
    const { data } = await queryClient.fetchQuery(organisationsQuery())
    const { organisations } = stage.plain.records.tables
    expect(data.map(({ id }) => id)).toEqual(organisations.map(({ id }) => id))
    expect(stage.plain.requests.length - before).toBe(Math.ceil(organisations.length / 15))
  },
)

test('pages that repeat end the reading', async () => {
  const stage = await openWithOrganisations('length-aware')
  stage.network = (request) =>
    stage.answer({ ...request, url: request.url.replace(/([?&])page=\d+/, '$1page=1') })
  const { data } = await queryClient.fetchQuery(organisationsQuery())
  expect(data).toHaveLength(15)
})

/** From now on the third page is not answered. */
function losePage(stage: Awaited<ReturnType<typeof openWithOrganisations>>) {
  stage.network = (request) => {
    if (/[?&]page=3\b/.test(request.url)) throw new TypeError('Failed to fetch')
    return stage.answer(request)
  }
}

test('a page that fails costs no organisation of another one, and the next reading completes them', async () => {
  const stage = await openWithOrganisations('length-aware')
  losePage(stage)
  const read = async () => (await queryClient.fetchQuery(organisationsQuery())).data
  expect(await read()).toHaveLength(30)
  stage.network = stage.answer
  expect(await read()).toHaveLength(40)
})

test('organisations that were read before stay when a page fails', async () => {
  const stage = await openWithOrganisations('length-aware')
  const read = async () => (await queryClient.fetchQuery(organisationsQuery())).data
  expect(await read()).toHaveLength(40)
  losePage(stage)
  await expect(read()).rejects.toBeInstanceOf(CallError)
  expect(queryClient.getQueryData(organisationsQuery().queryKey)?.data).toHaveLength(40)
  queryClient.clear()
  expect(await read()).toHaveLength(40)
})
