import type * as v from 'valibot'
import { AccountDraft, type Account } from '../../../contract/schemas/accounts.ts'
import { validateForm, type FieldErrors } from '../../../contract/errors.ts'
import type { OrganisationUser } from '../../../contract/schemas/people.ts'
import type { Cell } from './csv.ts'
import { currencyOf, signIn } from '../../ui/form/currency-of.ts'
import { readNumber } from '../../ui/form/read-number.ts'
import { readTableTags, writeTags } from '../../ui/form/tag-list.ts'
import { dayOf, healthOf, wordOf } from './cells.ts'
import {
  findByName,
  normalizeName,
  notFound,
  type Columns,
  type ImportRow,
  type Table,
} from './table.ts'
import { accountColumns } from './column-messages.ts'
import { importMessages as messages } from './messages.ts'
import { websiteAddress } from '../../widgets/editing/website-address.ts'

export type AccountColumn = keyof typeof accountColumns

/** The columns that an account import recognises. */
export const ACCOUNT_COLUMNS: Columns<AccountColumn> = {
  ...accountColumns,
  contact: { ...accountColumns.contact, field: 'contacts' },
  contact_email: { ...accountColumns.contact_email, field: 'contacts' },
  contact_phone: { ...accountColumns.contact_phone, field: 'contacts' },
}

/** The cells of an account that an import reads, for exports. */
export function accountCells(
  account: Account,
  nameOf: (id: string | null) => string | null | undefined,
): [string, Cell][] {
  const contact = account.contacts.find(({ is_primary }) => is_primary) ?? account.contacts[0]
  return [
    [accountColumns.name.title, account.name],
    [accountColumns.website.title, account.website],
    [accountColumns.industry.title, account.industry],
    [accountColumns.tier.title, account.tier],
    [accountColumns.status.title, account.status],
    [accountColumns.health.title, account.health],
    [accountColumns.arr.title, account.arr],
    [accountColumns.currency.title, account.currency],
    [accountColumns.renewal_date.title, account.renewal_date],
    [accountColumns.owner_id.title, nameOf(account.owner_id) ?? null],
    [accountColumns.contact.title, contact?.name ?? null],
    [accountColumns.contact_email.title, contact?.email ?? null],
    [accountColumns.contact_phone.title, contact?.phone ?? null],
    [accountColumns.tags.title, writeTags(account.tags)],
    [accountColumns.notes.title, account.notes],
  ]
}

export type NewAccount = v.InferOutput<typeof AccountDraft>

interface ImportContext {
  /** Whether the device has everything, so that what it does not have does not exist. */
  isWhole: boolean
  accounts: readonly Account[]
  members: readonly OrganisationUser[]
  /** The organisation's currency, for amounts without one. */
  currency: string
}

/** The result for each row of an account import. A row whose name already exists is skipped. */
export function accountRows(
  table: Table<AccountColumn>,
  { accounts, members, currency, isWhole }: ImportContext,
): ImportRow<NewAccount>[] {
  const knownNames = new Set(accounts.map(({ name }) => normalizeName(name)))
  return table.rows.map(({ number, cells }) => {
    const { name = '', owner_id, contact, contact_email, contact_phone, ...others } = cells
    const { arr, website, tags, ...text } = others
    const contactName = contact ?? contact_email ?? contact_phone
    const row = { number, title: name, detail: text.industry ?? '' }
    const owner =
      owner_id && findByName(members, (one) => [one.email, one.name, one.user_id], owner_id)
    const errors: FieldErrors = {}
    if (owner_id && !owner)
      errors['owner_id'] = [notFound(messages.unknownMember, owner_id, isWhole)]
    if (owner === 'several') errors['owner_id'] = [messages.several(owner_id ?? '')]
    const usual = (text.currency ?? currency).toUpperCase()
    const ofAmount = currencyOf(arr ?? '', usual)
    const checked = validateForm(AccountDraft, {
      name,
      ...text,
      ...(text.tier && { tier: wordOf(text.tier) }),
      ...(text.status && { status: wordOf(text.status) }),
      ...(text.health && { health: healthOf(text.health) }),
      ...(text.renewal_date && { renewal_date: dayOf(text.renewal_date) }),
      ...(arr && { arr: readNumber(arr) }),
      currency: text.currency ? usual : (ofAmount ?? usual),
      ...(website && { website: websiteAddress(website) }),
      ...(owner && owner !== 'several' && { owner_id: owner.user_id }),
      ...(tags && { tags: readTableTags(tags) }),
      ...(contactName && {
        contacts: [
          { name: contactName, email: contact_email, phone: contact_phone, is_primary: true },
        ],
      }),
    })
    if (!checked.ok) Object.assign(errors, checked.errors)
    const isClear = ofAmount === usual || (ofAmount && !text.currency)
    if (arr && !isClear && !errors['arr'] && !errors['currency'])
      errors['arr'] = [
        text.currency
          ? messages.otherCurrency(usual)
          : messages.unknownCurrency(signIn(arr), usual),
      ]
    if (!checked.ok || Object.keys(errors).length > 0) return { ...row, errors }
    const seen = normalizeName(name)
    if (knownNames.has(seen)) return { ...row, known: true }
    knownNames.add(seen)
    return { ...row, draft: checked.value }
  })
}
