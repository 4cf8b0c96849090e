// @vitest-environment jsdom
// A server names the role of the user in the list of organisations or among the members alone: after a read of the
// one organisation, an admin was a member.
import { expect, test } from 'vitest'
import { canManage } from '../../../contract/roles.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { User } from '../../../contract/schemas/people.ts'
import { loadIdentity } from '../../../src/app/boot/load-identity.ts'
import { editOrganisation } from '../../../src/data/organisations/mutations.ts'
import { refreshOrganisation } from '../../../src/data/organisations/refresh.ts'
import { openPlainPage } from '../fixtures/plain-page.ts'

/** A page at a server that names neither role nor owner, in the list only with `inList`. */
async function pageWithoutRoles(inList: boolean, role = 'admin') {
  const page = await openPlainPage()
  const { client, stage } = page
  const { organisations } = stage.plain.records.tables
  for (const one of organisations) Object.assign(one, { user_id: null, pivot: { role } })
  for (const one of stage.plain.records.tables['organisation-users']) one.pivot = { role }
  await page.engine.pullScheduler.pullAgain()
  stage.network = (request) => {
    const answer = stage.answer(request)
    const isOne = /\/organisations\/[^/]+$/.test(request.url)
    const isWithout = isOne || (!inList && /\/organisations(\?|$)/.test(request.url))
    return isWithout
      ? { ...answer, text: answer.text.replaceAll(/,"(?:pivot":\{[^}]*\}|user_id":[^,}]*)/g, '') }
      : answer
  }
  const { data } = await client.call(endpoints.listOrganisations, { query: {} })
  await client.chooseOrganisation(data[0] ?? null)
  const active = () => client.session.current()?.active_organisation as unknown as Organisation
  const manages = () => canManage(client.session.current()?.user as unknown as User, active())
  return { active, manages }
}

test('the role that the list names stays after the start, a refresh and a change', async () => {
  const { active, manages } = await pageWithoutRoles(true)
  expect(manages()).toBe(true)
  await loadIdentity()
  expect(manages()).toBe(true)
  await refreshOrganisation()
  expect(manages()).toBe(true)
  await editOrganisation(active(), { name: 'North and South' })
  expect(active().name).toBe('North and South')
  expect(manages()).toBe(true)
})

test('without one in the list, the role is that of the user among the members', async () => {
  const { manages } = await pageWithoutRoles(false)
  await refreshOrganisation()
  expect(manages()).toBe(true)
  const other = await pageWithoutRoles(false, 'member')
  await refreshOrganisation()
  expect(other.manages()).toBe(false)
})
