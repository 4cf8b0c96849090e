// @vitest-environment jsdom
// A server that has the specification alone was sent fields of a new organisation that it does not know; where its
// answer lacked the record, a second press made a second organisation.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '../../../contract/schemas/people.ts'
import { OrganisationStep } from '../../../src/features/onboarding/about-steps.tsx'
import { onboardingMessages } from '../../../src/features/onboarding/messages.ts'
import { organisationMessages } from '../../../src/features/organisations/messages.ts'
import { NewOrganisation } from '../../../src/features/organisations/new-organisation.tsx'
import { organisationsQuery } from '../../../src/data/organisations/queries.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openPlainPage } from '../fixtures/plain-page.ts'

beforeEach(() =>
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false })),
)
afterEach(() => {
  cleanup()
  queryClient.clear()
})

/** Creates an organisation in the dialog; resolves to what is called once it is open. */
async function create(name: string) {
  const onCreated = vi.fn(async () => undefined)
  render(
    <QueryProvider>
      <NewOrganisation onClose={() => undefined} onCreated={onCreated} />
    </QueryProvider>,
  )
  await userEvent.type(await screen.findByLabelText(organisationMessages.name), name)
  await userEvent.click(screen.getByRole('button', { name: organisationMessages.submit }))
  return onCreated
}

test('the dialog sends the name alone', async () => {
  const { stage } = await openPlainPage()
  const onCreated = await create('Third')
  await waitFor(() => expect(onCreated).toHaveBeenCalled())
  const [post] = stage.plain.seen('POST', /organisations$/)
  expect(JSON.parse(post?.body ?? '')).toEqual({ name: 'Third' })
})

test('the first step offers the name alone, and sends it', async () => {
  const { client, stage } = await openPlainPage()
  await client.chooseOrganisation(null)
  const onDone = vi.fn()
  render(
    <MemoryRouter>
      <QueryProvider>
        <OrganisationStep
          user={client.session.current()?.user as unknown as User}
          onDone={onDone}
        />
      </QueryProvider>
    </MemoryRouter>,
  )
  const { create, fields } = onboardingMessages.organisation
  await userEvent.type(await screen.findByLabelText(fields.name), 'Third')
  expect(screen.queryByLabelText(fields.currency)).toBe(null)
  await userEvent.click(screen.getByRole('button', { name: create }))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  const [post] = stage.plain.seen('POST', /organisations$/)
  expect(JSON.parse(post?.body ?? '')).toEqual({ name: 'Third' })
})

test.for(['', '{"data":{"id":3}}', '{"message":"ok"}'])(
  'an answer without the record, %s, is completed by the list',
  async (text) => {
    const { client, stage } = await openPlainPage()
    stage.network = (request) => {
      const answer = stage.answer(request)
      return request.method === 'POST' ? { ...answer, text } : answer
    }
    await queryClient.fetchQuery(organisationsQuery())
    const onCreated = await create('Third')
    await waitFor(() => expect(onCreated).toHaveBeenCalled())
    expect(client.session.current()?.active_organisation).toMatchObject({ name: 'Third' })
    expect(stage.plain.seen('POST', /organisations$/)).toHaveLength(1)
  },
)
