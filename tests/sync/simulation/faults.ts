// Which faults a seed injects and how often: a random subset of all faults, beside the users' actions.
import type { SimulatedDevice } from './random-device.ts'
import { ORGANISATIONS, USERS } from './model-server.ts'
import type { SimulatedUsers } from './simulated-users.ts'
import type { NetworkFaults } from './simulated-network.ts'

/** An event that may happen next, with its weight. */
export type WeightedEvent = [share: number, act: () => void]

/**
 * Chooses the faults of this seed, and lists its events. `trips`: how often users work without a network;
 * `steps`: how often they change many plans at once, and record outcomes of renewals; `views`: how often they
 * change saved views.
 */
export function events(
  device: SimulatedDevice,
  users: SimulatedUsers,
  { trips, steps, views }: { trips: number; steps: number; views: number },
): WeightedEvent[] {
  const { world } = device
  const { rng: chance } = world
  const { network: wire, store, server } = device
  const sometimes = (share: number): number =>
    chance.withProbability(0.4) ? share * chance.fraction() : 0
  wire.faults = {
    lostRequest: sometimes(0.4),
    lostAnswer: sometimes(0.4),
    duplicate: sometimes(0.4),
    late: chance.fraction(),
    slow: sometimes(0.2),
    serverError: sometimes(0.4),
    rateLimited: sometimes(0.3),
    captivePortal: sometimes(0.3),
    running: sometimes(0.3),
    refused: sometimes(0.05),
    unauthenticated: sometimes(0.3),
  } satisfies NetworkFaults
  wire.admitsOffline = chance.withProbability(0.5)
  wire.savesData = chance.withProbability(0.2)
  store.faults.aborts = sometimes(0.1)
  device.ledger.trustsStorage = store.faults.aborts === 0
  const anyContext = () => {
    if (device.contexts.length > 0) return chance.pick(device.contexts)
    return device.open('tab')
  }
  const forAWhile = (longest: number, undo: () => void) =>
    world.schedule(1_000 + chance.fraction() * longest, undo)
  const loseNetwork = () => {
    wire.up = false
    forAWhile(60_000, () => {
      wire.up = true
      for (const context of device.contexts) if (context.state === 'live') context.wake()
    })
  }
  return [
    [14, () => users.postUpdate()],
    [chance.withProbability(0.6) ? 8 : 0, () => users.forms.use(users.plansOf)],
    [chance.withProbability(0.5) ? 8 : 0, () => users.records.work()],
    [sometimes(5), () => users.deletions.delete()],
    [sometimes(3), () => users.deletions.undo()],
    [sometimes(4), () => users.edit()],
    [sometimes(2), () => users.resend()],
    [sometimes(12), () => users.editAsAnotherUser()],
    [sometimes(4), () => users.resolveConflict()],
    [sometimes(2), () => users.discard()],
    [2, () => users.reopen()],
    [sometimes(3), () => users.signOutOrIn()],
    [sometimes(3), () => users.switch()],
    [sometimes(3), () => device.kill(anyContext())],
    [sometimes(2), () => device.killBrowser(false)],
    [
      sometimes(2),
      () => {
        device.killBrowser(true)
        users.forms.powerCut()
      },
    ],
    [
      sometimes(4),
      () => {
        const context = anyContext()
        if (context.state !== 'live') return
        device.freeze(context)
        forAWhile(150_000, () => device.thaw(context))
      },
    ],
    [sometimes(3), () => loseNetwork()],
    [
      trips,
      () => {
        loseNetwork()
        users.postMany()
      },
    ],
    [views, () => users.views.work()],
    [
      sometimes(2),
      () => {
        store.faults.full = true
        device.ledger.trustsStorage = false
        forAWhile(10_000, () => (store.faults.full = false))
      },
    ],
    [
      sometimes(2),
      () => {
        store.faults.closed = true
        device.ledger.trustsStorage = false
        forAWhile(4_000, () => (store.faults.closed = false))
      },
    ],
    [
      sometimes(2),
      () => {
        device.clockOffset += Math.round((chance.fraction() - 0.5) * 36_000_000)
        device.ledger.allowEarlyRetries()
      },
    ],
    [sometimes(2), () => wire.restartServer(chance.fraction() * 20_000)],
    [sometimes(2), () => server.tokens.expireAll()],
    [sometimes(1), () => server.tokens.revokeFamiliesOf(chance.pick(USERS))],
    // Only `changes` shows that the versions belong to another database.
    [server.settings.lists_only ? 0 : sometimes(1), () => server.moveToNewDatabase()],
    [
      sometimes(1),
      () => {
        const who = `${chance.pick(USERS)} ${chance.pick(ORGANISATIONS)}`
        server.forbidden.add(who)
        forAWhile(30_000, () => server.forbidden.delete(who))
      },
    ],
    [
      sometimes(1),
      () => {
        const organisation_id = chance.pick(ORGANISATIONS)
        const plan_id = `${organisation_id}-2`
        server.deletePlan(organisation_id, plan_id)
      },
    ],
    [steps, () => users.records.changeMany()],
    [steps, () => users.records.movePlanElsewhere()],
    [steps, () => users.records.recordOutcome()],
    [steps, () => users.records.moveRenewalElsewhere()],
  ]
}
