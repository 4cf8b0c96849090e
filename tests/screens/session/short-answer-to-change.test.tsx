// @vitest-environment jsdom
// A server answers a change with the fields that were changed: name, address, time zone, currency and switches that it
// did not mention were replaced by defaults.
import { renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { NotificationConsents } from '../../../contract/schemas/settings.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { loadIdentity } from '../../../src/app/boot/load-identity.ts'
import { editOrganisation } from '../../../src/data/organisations/mutations.ts'
import { consentsQuery, editProfile, withConsents } from '../../../src/data/profile.ts'
import { applyOwnOperations, useCacheAnswers } from '../../../src/data/queue-own-change.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { waitFor } from '../../wait-for.ts'
import { operationWith } from '../fixtures/record-fixtures.ts'
import { openPlainPage } from '../fixtures/plain-page.ts'

afterEach(() => queryClient.clear())

/** A page whose server answers each PUT with those fields alone, and each read with 503 then. */
async function pageWithShortAnswers(data: object) {
  const page = await openPlainPage()
  const { client, stage } = page
  await loadIdentity()
  const before = client.session.current()
  let isAnswered = false
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (request.method === 'GET' && isAnswered) return { ...answer, status: 503, text: '' }
    if (request.method !== 'PUT') return answer
    isAnswered = true
    return { ...answer, text: JSON.stringify({ data }) }
  }
  return { ...page, before }
}

test('the user stays, with what was changed', async () => {
  const { client, engine, before } = await pageWithShortAnswers({ id: 1, job_title: 'CSM' })
  expect(before?.user).toMatchObject({ name: 'Ana Plain', job_title: null })
  engine.state.operations.subscribe(() => client.operations.set(engine.state.operations.get()))
  await editProfile({ job_title: 'CSM' })
  engine.wake()
  await waitFor(() => expect(client.session.current()?.user).toMatchObject({ job_title: 'CSM' }))
  expect(client.session.current()?.user).toEqual({ ...before?.user, job_title: 'CSM' })
})

test('the organisation stays, with what was changed', async () => {
  const { client, before } = await pageWithShortAnswers({ id: 1, name: 'Lumen' })
  const organisation = before?.active_organisation as unknown as Organisation
  const known = { ...organisation, timezone: 'Europe/Vienna', currency: 'EUR' }
  await client.chooseOrganisation(known)
  await editOrganisation(known, { name: 'Lumen' })
  expect(client.session.current()?.active_organisation).toEqual({ ...known, name: 'Lumen' })
})

test('the switches that are not mentioned stay on the screen and in what is stored of it', async () => {
  await openPlainPage()
  const email = { plan_update: true, plan_assigned: true, product_news: true }
  const known = { email, push: {}, digest: 'weekly', due_lead_days: 2 }
  const consents = known as unknown as NotificationConsents
  const change = operationWith({
    endpoint: 'updateNotificationConsents',
    input: { body: { email: { product_news: false } } },
    state: 'acknowledged',
    answer: { email: { product_news: false } },
  })
  const changed = { ...known, email: { ...email, product_news: false } }
  expect(applyOwnOperations(consents, [change], withConsents)).toEqual(changed)

  const { queryKey } = consentsQuery()
  queryClient.setQueryData(queryKey, consents)
  renderHook(() => useCacheAnswers(queryKey, [change], withConsents))
  await waitFor(() => expect(queryClient.getQueryData(queryKey)).toEqual(changed))
})
