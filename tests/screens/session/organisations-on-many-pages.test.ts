// @vitest-environment jsdom
// A server whose pages are smaller than asked for: organisations after the first page could not be opened.
import { afterEach, expect, test } from 'vitest'
import { organisationsQuery } from '../../../src/data/organisations/queries.ts'
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
