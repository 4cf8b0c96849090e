// The commands of the palette and when they are offered (specification, section 2). Pure.
import { foldText } from '../../ui/text/fold-text.ts'
import { paletteMessages as messages } from './messages.ts'

/** A fixed entry of the palette. */
export interface Command {
  key: string
  group: 'success-plans' | 'organisation' | 'settings'
  label: string
  /** Path to open; two commands perform an action instead. */
  to?: string
  owner_only?: true
  uninstalled_only?: true
}

const COMMANDS: readonly Command[] = [
  { key: 'plans', group: 'success-plans', label: messages.viewPlans, to: '/success-plans' },
  { key: 'new-plan', group: 'success-plans', label: messages.newPlan, to: '/success-plans/new' },
  { key: 'new-template', group: 'success-plans', label: messages.newTemplate, to: '/templates' },
  {
    key: 'switch',
    group: 'organisation',
    label: messages.switchOrganisation,
    to: '/organisations',
  },
  {
    key: 'upgrade',
    group: 'organisation',
    label: messages.upgrade,
    to: '/settings/organisation/plans',
    owner_only: true,
  },
  { key: 'theme', group: 'settings', label: messages.switchTheme },
  { key: 'profile', group: 'settings', label: messages.profile, to: '/settings/profile' },
  {
    key: 'notifications',
    group: 'settings',
    label: messages.notifications,
    to: '/settings/notifications',
  },
  {
    key: 'organisation',
    group: 'settings',
    label: messages.organisation,
    to: '/settings/organisation/general',
  },
  {
    key: 'members',
    group: 'settings',
    label: messages.members,
    to: '/settings/organisation/members',
  },
  { key: 'install', group: 'settings', label: messages.install, uninstalled_only: true },
]

/** Whether the label contains the text, as `foldText` compares. An empty text matches every label. */
export const matchesText = (label: string, typed: string): boolean =>
  foldText(label).includes(foldText(typed).trim())

/** The commands offered for the typed text. */
export const availableCommands = (
  typed: string,
  { is_owner, is_installed }: { is_owner: boolean; is_installed: boolean },
): Command[] =>
  COMMANDS.filter(
    ({ label, owner_only, uninstalled_only }) =>
      matchesText(label, typed) &&
      (is_owner || owner_only !== true) &&
      !(is_installed && uninstalled_only === true),
  )

/** Search results are shown when text was typed that matches no success plan command. */
export const shouldShowResults = (typed: string, commands: readonly Command[]): boolean =>
  typed.trim() !== '' && !commands.some(({ group }) => group === 'success-plans')

/** The selected item: the previous one by key, wherever it is now; the first one if it is gone. */
export const selectedItem = <T extends { key: string }>(
  items: readonly T[],
  key: string | undefined,
): T | undefined => items.find((item) => item.key === key) ?? items[0]

/** The item `steps` further, wrapping around at the ends. */
export const itemAtOffset = <T extends { key: string }>(
  items: readonly T[],
  from: T | undefined,
  steps: number,
): T | undefined => {
  const at = items.findIndex(({ key }) => key === from?.key)
  return items.at((at + steps + items.length) % Math.max(1, items.length))
}
