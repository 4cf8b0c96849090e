// A database that was restored from a backup lacks what was written after the backup was made.
import { expect, onTestFinished, test } from 'vitest'
import { EngineFixture, offline, postUpdate, waitFor } from '../engine-fixture.ts'

const scope = { user_id: 'ann', organisation_id: 'north' }

/** A device with two updates of one plan and one of another, which has lost its connection. */
async function device() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  const replica = tab.replicaOf(scope)
  const updatesOf = async (plan_id: string) =>
    (await replica.partition('success_plan_updates', plan_id))?.map(({ body }) => body)
  await postUpdate(tab, 'They signed.')
  await postUpdate(tab, 'They paid.')
  await postUpdate(tab, 'They left.', 'north-2')
  await waitFor(async () => {
    expect((await updatesOf('north-1'))?.length).toBe(2)
    expect((await updatesOf('north-2'))?.length).toBe(1)
    expect(tab.state.operations.get()).toEqual([])
  })
  /** Restores the database as it was before these updates. */
  const restoreBefore = (...bodies: string[]) => {
    const tenant = stage.server.tenants.get('north')
    const updates = tenant?.records.success_plan_updates
    for (const [id, { body }] of updates ?? [])
      if (bodies.includes(String(body))) updates?.delete(id)
    // Beyond what the device has.
    tenant?.renumber(1_000_000)
  }
  return { stage, tab, updatesOf, restoreBefore }
}

test('updates that only the lost database had leave their plans, and the screens learn of it', async () => {
  const { stage, tab, updatesOf, restoreBefore } = await device()
  const told: string[] = []
  stage.onChanged = async (_scope, { success_plan_updates }) =>
    void told.push(...(success_plan_updates?.partitions ?? []))
  restoreBefore('They paid.', 'They left.')
  await tab.pullScheduler.pullAgain()
  expect(await updatesOf('north-1')).toEqual(['They signed.'])
  expect(await updatesOf('north-2')).toEqual([])
  expect(told).toContain('north-2')
})

test('an update of the lost database that its author’s device has not seen confirmed stays in the outbox', async () => {
  const { stage, tab, updatesOf, restoreBefore } = await device()
  stage.network = (request, answer) => {
    const real = answer()
    if (request.method === 'POST') throw new Error('The answer is lost.')
    return real
  }
  await postUpdate(tab, 'They stay.')
  await waitFor(() => expect(stage.storedTexts).toContain('They stay.'))
  await tab.pullScheduler.pullAgain()
  expect(await updatesOf('north-1')).toContain('They stay.')
  stage.network = (request, answer) =>
    request.method === 'POST' ? offline(request, answer) : answer()
  restoreBefore('They stay.')
  await tab.pullScheduler.pullAgain()
  expect(await updatesOf('north-1')).not.toContain('They stay.')
  expect(tab.state.operations.get()).toMatchObject([{ state: 'pending' }])
})
