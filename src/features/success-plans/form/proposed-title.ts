import { planFormMessages as messages } from '../plan-messages.ts'

/** What is chosen for a new plan. */
interface Chosen {
  title: string
  template_id: string
  account_id: string
}

/** `Renewal: Meridian Health`; empty until both are chosen. */
export const proposedTitle = (
  template: { title: string } | undefined,
  account: { name: string } | undefined,
): string => (template && account ? messages.proposedTitle(template.title, account.name) : '')

/** A choice of template or account, with the title that `titleOf` proposes, unless the author wrote one. */
export const withProposedTitle = (
  fields: Chosen,
  changes: Partial<Chosen>,
  titleOf: (of: Chosen) => string,
): Partial<Chosen> =>
  fields.title === '' || fields.title === titleOf(fields)
    ? { ...changes, title: titleOf({ ...fields, ...changes }) }
    : changes
