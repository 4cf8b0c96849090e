// What the server turns down is lost, sent again and again, or asked about though no other person has changed it.
import { expect, onTestFinished, test } from 'vitest'
import { errorResponse, json } from '../simulation/model-tenant.ts'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

test('keeps a rejected update with its text and reason, and sends later ones', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const refused = await postUpdate(tab, 'invalid words')
  await postUpdate(tab, 'Good words')
  await waitFor(() => expect(stage.storedTexts).toEqual(['Good words']))
  await waitFor(async () => {
    const stored = (await tab.outbox.all()).find(({ id }) => id === refused.id)
    expect(stored).toMatchObject({
      state: 'attention',
      input: refused.input,
      last_error: { status: 422, message: 'That is not valid.' },
    })
  })
})

test('an edit that is not valid is no conflict, though the answer has the record', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const seen = stage.server.tenants.get('north')?.records.success_plans.get('north-1')
  const data = { ...seen, description: 'By Ben', version: Number(seen?.version) + 1 }
  stage.network = (request, answer) =>
    request.method === 'PATCH'
      ? { ...errorResponse(422, ''), text: json(422, { message: 'Too long.', data }).text }
      : answer()
  const input = { path: { id: 'north-1' }, body: { title: 'Ann’s title' } }
  const edit = await tab.enqueue('updateSuccessPlan', input, { ...seen })
  await waitFor(async () =>
    expect(await tab.outbox.all()).toMatchObject([
      { id: edit.id, state: 'attention', last_error: { status: 422, message: 'Too long.' } },
    ]),
  )
  expect(stage.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
})
