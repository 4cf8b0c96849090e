// One exploration: random sensible actions of two users on the real screens, under changing weather,
// and the properties that must hold all the time and in the end.
import type { Page } from 'playwright-core'
import type { Action, Situation } from './action.ts'
import { Choice } from './choice.ts'
import { deviceActions, signingIn } from './device-actions.ts'
import { readDeviceStorage } from './device-storage.ts'
import { createExploreFixture, type ExploreFixture } from './explore-fixture.ts'
import { fillings } from './fill-form.ts'
import { checkClaims, checkDeliveries, checkEdits, checkQuestions } from './final-checks.ts'
import { describeDevice, heal } from './heal.ts'
import { Ledger } from './ledger.ts'
import { presses } from './press.ts'
import { AxeSample, savedTexts } from './screen-checks.ts'
import { WEATHERS } from './weather.ts'

export interface Exploration {
  seed: number
  actions: number
}

/** Explores; throws an error with the trace and every violated property. */
export async function explore({ seed, actions }: Exploration): Promise<string[]> {
  const trace: string[] = []
  const violations: string[] = []
  const violate = (property: string, why: string) => {
    violations.push(`“${property}” does not hold. ${why}`)
    trace.push(`   ✗ ${property}`)
  }
  const ledger = new Ledger()
  const axe = new AxeSample()
  try {
    const scene = await createExploreFixture(violate)
    for (let step = 1; step <= actions && violations.length === 0; step += 1)
      await takeStep({ scene, ledger, axe, seed, step, trace })
    if (violations.length === 0) {
      trace.push('heal')
      const servers = await heal(scene, ledger, actions + 1)
      const ended = 'what was saved is on the server once, or asked about, or discarded'
      for (const why of checkDeliveries(scene, ledger, servers)) violate(ended, why)
      for (const why of checkClaims(ledger)) violate(ended, why)
      for (const why of checkEdits(scene, ledger, servers)) violate('the last edit holds', why)
      for (const why of checkQuestions(ledger)) violate('no question without another author', why)
      trace.push(summaryOf(ledger))
      if (violations.length > 0)
        for (const device of scene.devices) trace.push(await describeDevice(device))
    }
  } catch (error) {
    violate(
      'the exploration continues',
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    )
  }
  if (violations.length > 0) throw new Error([`Seed ${seed}:`, ...trace, ...violations].join('\n'))
  return trace
}

interface Step {
  scene: ExploreFixture
  ledger: Ledger
  axe: AxeSample
  seed: number
  step: number
  trace: string[]
}

async function takeStep({ scene, ledger, axe, seed, step, trace }: Step): Promise<void> {
  const choice = new Choice(seed, step)
  const device = choice.pick(scene.devices)
  if (choice.withProbability(0.3)) await device.weather.change(choice.pick(WEATHERS))
  const page = device.tabs[choice.integerBelow(device.tabs.length)]
  if (!page) throw new Error('The device has no tab.')
  const view = await device.view(page)
  const situation: Situation = { device, page, view, choice, ledger, step, seed }
  await observe(situation, page)
  ledger.expectNoDiscards(device.name)
  const action = chooseAction(situation)
  const tab = `${device.name}/${device.tabs.indexOf(page) + 1}`
  trace.push(
    `${step} ${tab} [${device.weather.kind}] ${action.key} at ${view.url.pathname}${view.url.search}`,
  )
  await device.operate(page, action.run).catch((error: unknown) => {
    // The screen changed while the step was taken, or something covers the control.
    if (
      !/Timeout \d+ms exceeded|not attached|ref=|not an? <|outside of the viewport/.test(
        String(error),
      )
    )
      throw error
    trace.push(`   not possible: ${reasonOf(error)}`)
  })
  const [next] = device.tabs.includes(page) ? [page] : device.tabs
  if (!next) return
  await observe(situation, next)
  if (choice.withProbability(0.4)) {
    const after = await device.view(next)
    await axe.check({ device, page: next, view: after })
  }
}

/** Notes what the device stores and what its screen calls saved. */
async function observe({ device, ledger, step }: Situation, page: Page): Promise<void> {
  ledger.claim(device.name, await savedTexts(page, device.name).catch(() => []), step)
  ledger.record(device.name, await readDeviceStorage(page), step)
}

/** First the kind of action, so that many controls on a screen do not crowd out the others. */
function chooseAction(situation: Situation): Action {
  const { choice } = situation
  const signIn = signingIn(situation)
  if (signIn) return signIn
  const kinds = [
    { key: 'forms', weight: 45, actions: fillings(situation) },
    { key: 'controls', weight: 33, actions: presses(situation) },
    { key: 'device', weight: 22, actions: deviceActions(situation) },
  ]
  const kind = choice.among(kinds.filter(({ actions }) => actions.length > 0))
  const action = choice.among(kind?.actions ?? [])
  if (!action) throw new Error('There is nothing to do on this screen.')
  return action
}

/** Why a control could not be operated: what covers it, or what Playwright waited for last. */
const reasonOf = (error: unknown) => {
  const lines = String(error).split('\n')
  return lines.find((line) => line.includes('intercepts pointer events')) ?? lines[0]
}

function summaryOf(ledger: Ledger): string {
  const { saved, questions, claims } = ledger
  return `${saved.size} operations, ${claims.size} texts shown as saved, ${questions.size} questions`
}
