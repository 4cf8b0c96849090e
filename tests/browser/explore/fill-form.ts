// Fills in a form of the product with new texts and random choices, and submits it.
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Action, Situation } from './action.ts'
import { readDeviceStorage } from './device-storage.ts'
import { holdsSoon } from './page-watch.ts'
import { fieldsBeside, locate, type Control } from './view.ts'

/** The buttons that submit a form which is saved on the device. */
const SUBMITS =
  /^(Post update|Save changes|Create plan|Add account|Add initiative|Save|Save and send again|Pause|Complete|Cancel plan)$/
const TEXT_FIELDS =
  /^(Update|Edit the update|Title|Name|Description|Success criteria|Notes|Industry|Note)\b/
const REQUIRED = /^(Update|Edit the update|Title|Name|Note)\b/
const KEPT = /^(Type|Template|Currency|Owner|Cadence|Update cadence|Tier)/
const ADD_ACTION = /^Add an action to /
/** At most so long after the press the browser is killed. */
const KILL_WITHIN_MS = 250

/** Marks each typed text, to find it on screens, in the outbox and on the server; the author's name follows. */
const markerOf = (seed: number, step: number, count: number) => `w${seed}x${step}x${count}w`

/** The forms on the screen, each as an action. */
export function fillings(situation: Situation): Action[] {
  const { controls, url } = situation.view
  if (/^\/(settings|auth|organisations|templates)/.test(url.pathname)) return []
  const forms = controls
    .filter(({ role, name }) => role === 'button' && SUBMITS.test(name))
    .map((submit) => ({ submit, fields: fieldsBeside(submit, controls) }))
    .filter(({ fields }) => fields.length > 0)
    .map(({ submit, fields }) => ({
      key: `fill in and ${submit.name}`,
      weight: 4,
      run: () => fillIn(situation, fields, submit),
    }))
  const adding = controls
    .filter(({ role, name }) => role === 'textbox' && ADD_ACTION.test(name))
    .map((field) => ({
      key: `add an action in ${field.key}`,
      weight: 2,
      run: () => addAction(situation, field),
    }))
  return [...forms, ...adding]
}

async function fillIn(situation: Situation, fields: Control[], submit: Control): Promise<void> {
  const { page, choice } = situation
  const typed: string[] = []
  for (const field of fields) {
    const element = locate(page, field)
    if (field.role === 'textbox' && TEXT_FIELDS.test(field.name)) {
      const isTyped = REQUIRED.test(field.name)
        ? choice.withProbability(0.85)
        : choice.withProbability(0.4)
      if (!isTyped) continue
      const marker = markerOf(situation.seed, situation.step, typed.length)
      typed.push(marker)
      await element.fill(`Text ${marker} of ${situation.device.name}`)
    } else if (field.role === 'slider' && choice.withProbability(0.3))
      await element.fill(String(choice.integerBelow(20) * 5))
    else if (field.role === 'combobox' && !KEPT.test(field.name))
      await chooseOption(situation, field)
  }
  await submitAndWait(situation, typed, () => locate(page, submit).click())
}

async function chooseOption({ page, choice }: Situation, field: Control): Promise<void> {
  // A customer's plan needs an account.
  const isRequired = field.name.startsWith('Account')
  if (!isRequired && !choice.withProbability(0.3)) return
  const at = isRequired ? 1 : choice.integerBelow(field.options.length)
  if (at < field.options.length) await locate(page, field).selectOption({ index: at })
}

async function addAction(situation: Situation, field: Control): Promise<void> {
  const { device, page } = situation
  const marker = markerOf(situation.seed, situation.step, 0)
  await locate(page, field).fill(`Action ${marker} of ${device.name}`)
  await submitAndWait(situation, [marker], () => locate(page, field).press('Enter'))
}

/**
 * Submits, and waits until the outbox has the typed texts or the form shows an error. In one of eight
 * cases the browser is killed instead, shortly after the press.
 */
async function submitAndWait(
  situation: Situation,
  typed: readonly string[],
  submit: () => Promise<void>,
): Promise<void> {
  const { device, page, choice } = situation
  if (choice.withProbability(0.12)) {
    const addresses = device.tabs.map((tab) => tab.url())
    await submit()
    // The time at which the kill comes is the fault, nothing is waited for.
    await setTimeout(choice.fraction() * KILL_WITHIN_MS)
    return await device.start(addresses)
  }
  await submit()
  if (typed.length === 0) return
  const ended = async () => (await isStored(page, typed)) || (await showsError(page))
  if (!(await holdsSoon(page, ended)))
    device.violate('a form is saved or shows an error within 10 s', page.url())
}

async function isStored(page: Page, typed: readonly string[]): Promise<boolean> {
  const { operations, sent } = await readDeviceStorage(page)
  const stored = JSON.stringify([operations, sent])
  return typed.every((text) => stored.includes(text))
}

const showsError = (page: Page) =>
  page.evaluate(
    () =>
      document.querySelector('[aria-invalid=true]') !== null ||
      /could not be saved|Please fix/.test(document.body.innerText),
  )
