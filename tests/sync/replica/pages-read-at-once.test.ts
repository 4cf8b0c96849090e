// A first download over a slow line: pages that are read at the same time, and not in their order.
import { expect, onTestFinished, test } from 'vitest'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

const CHANGES = /^\/api\/v1\/changes\?since=(\d+)/
const POSTED = 14

/** An organisation of four pages, and a device that has nothing of it yet. The second page has the plan `north-2`. */
async function fourPages() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const bob = await stage.signedInTab('bob')
  for (let count = 1; count <= POSTED; count += 1) {
    await postUpdate(bob, `Posted ${count}.`)
    await waitFor(() => expect(stage.storedTexts).toHaveLength(count))
    if (count === 4) stage.server.editPlan('north', 'north-2', { title: 'Second' }, Date.now())
  }
  await waitFor(async () => expect(await bob.outbox.all()).toEqual([]))
  await bob.signOut('keep')
  stage.closeTabs()
  const tables = Object.values(stage.server.tenants.get('north')?.records ?? {})
  const count = tables.reduce((sum, { size }) => sum + size, 0)
  Object.assign(stage.server.settings, { page: Math.ceil(count / 4), announces_pages: true })
  stage.requests.length = 0
  return stage
}

const whole = async (stage: EngineFixture) => {
  const tab = await stage.signedInTab('ann')
  const replica = tab.replicaOf({ user_id: 'ann', organisation_id: 'north' })
  await waitFor(async () => expect((await replica.cursor()).whole).toBe(true))
  return replica
}

test('pages that a page announces are on their way at the same time', async () => {
  const stage = await fourPages()
  const { promise: together, resolve: meet } = Promise.withResolvers<void>()
  const asked = new Set<string>()
  stage.delayRequest = async ({ url }) => {
    const since = CHANGES.exec(url)?.[1]
    if (since === undefined || since === '0') return
    asked.add(since)
    if (asked.size === 3) meet()
    await together
  }
  const replica = await whole(stage)
  const updates = await replica.partition('success_plan_updates', 'north-1')
  expect(updates).toHaveLength(POSTED)
  const sinces = stage.requests.flatMap(({ url }) => CHANGES.exec(url)?.[1] ?? [])
  expect(new Set(sinces).size).toBe(sinces.length)
})

test('what changes between two pages that were not read in their order is there when the download ends', async () => {
  const stage = await fourPages()
  const early = new Map<string, ReturnType<typeof stage.network>>()
  let announced: number[] | undefined
  let left: string | undefined
  stage.network = (request, answer) => {
    const since = CHANGES.exec(request.url)?.[1]
    if (since === undefined) return answer()
    // Another pull would hide what this one has left out.
    if (since === left) throw new Error('There is no network.')
    if (since !== '0' && announced) {
      expect(answer().text).toContain('"north-2"')
      // The last two pages are read before the second one, and the plan changes in between.
      for (const later of announced) {
        const url = request.url.replace(since, String(later))
        early.set(String(later), stage.server.handle({ ...request, url }, Date.now()))
      }
      announced = undefined
      left = String(stage.server.tenants.get('north')?.version)
      stage.server.editPlan('north', 'north-2', { title: 'Third' }, Date.now())
    }
    const answered = early.get(since) ?? answer()
    early.delete(since)
    if (since === '0') announced = (JSON.parse(answered.text) as { next: number[] }).next
    return answered
  }
  // Nothing tells the device of the change meanwhile.
  stage.supportsEvents = false
  const replica = await whole(stage)
  expect(left).toBeDefined()
  expect(await replica.record('success_plans', 'north-2')).toMatchObject({ title: 'Third' })
})
