// What goes wrong in a seed, and how often: a subset of all the faults, beside what people do.
import type { Device } from './device-of-seed.ts'
import { ORGANISATIONS, USERS } from './model-server.ts'
import type { People } from './people.ts'
import type { WireFaults } from './wire.ts'

/** Something that may happen next, with its share among all that may. */
export type Happening = [share: number, act: () => void]

/** Chooses the faults of this seed, and lists what may happen in it. */
export function happenings(device: Device, people: People): Happening[] {
  const { world } = device
  const { chance } = world
  const { wire, store, server } = device
  const sometimes = (share: number): number => (chance.happens(0.4) ? share * chance.fraction() : 0)
  wire.faults = {
    lostRequest: sometimes(0.4),
    lostAnswer: sometimes(0.4),
    duplicate: sometimes(0.4),
    late: chance.fraction(),
    slow: sometimes(0.2),
    serverError: sometimes(0.4),
    limited: sometimes(0.3),
    portal: sometimes(0.3),
  } satisfies WireFaults
  wire.admitsOffline = chance.happens(0.5)
  store.faults.aborts = sometimes(0.1)
  device.ledger.trustsStorage = store.faults.aborts === 0
  const anyContext = () => {
    if (device.contexts.length > 0) return chance.pick(device.contexts)
    return device.open('tab')
  }
  const forAWhile = (longest: number, undo: () => void) =>
    world.after(1_000 + chance.fraction() * longest, undo)
  return [
    [14, () => people.say()],
    [sometimes(4), () => people.edit()],
    [sometimes(2), () => people.resend()],
    [sometimes(4), () => people.elsewhere()],
    [sometimes(4), () => people.answer()],
    [sometimes(2), () => people.discard()],
    [2, () => people.reopen()],
    [sometimes(3), () => people.signOutOrIn()],
    [sometimes(3), () => people.switch()],
    [sometimes(3), () => device.kill(anyContext())],
    [sometimes(2), () => device.killBrowser(false)],
    [sometimes(2), () => device.killBrowser(true)],
    [
      sometimes(4),
      () => {
        const context = anyContext()
        if (context.state !== 'live') return
        device.freeze(context)
        forAWhile(150_000, () => device.thaw(context))
      },
    ],
    [
      sometimes(3),
      () => {
        wire.up = false
        forAWhile(60_000, () => {
          wire.up = true
          for (const context of device.contexts) if (context.state === 'live') context.wake()
        })
      },
    ],
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
        device.ledger.forgiveHaste()
      },
    ],
    [sometimes(2), () => wire.restartServer(chance.fraction() * 20_000)],
    [sometimes(2), () => server.tokens.expireAll()],
    [sometimes(1), () => server.tokens.revokeFamiliesOf(chance.pick(USERS))],
    // Only `changes` tells that the versions are another database's.
    [server.settings.lists_only ? 0 : sometimes(1), () => server.move()],
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
  ]
}
