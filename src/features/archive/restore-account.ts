import type { Account, Renewal } from '../../../contract/schemas/accounts.ts'
import { isUuid } from '../../../contract/schemas/fields.ts'
import { websiteAddress } from '../../widgets/editing/website-address.ts'
import { filled, instant, type RestoreCall, type Restoring } from './restoring.ts'

/** As many characters as a note may have. */
const MOST_CHARACTERS = 2_000

/** The calls that create an account with its contacts, and record the outcomes of its renewals one by one. */
export function restoreAccount(
  account: Account,
  known: Account | undefined,
  { idOf, memberOf, signed, isUnsent }: Restoring,
): RestoreCall[] {
  const id = idOf('accounts', account.id)
  // A server may count them within each account.
  const renewalId = (renewal: Renewal) => idOf('renewals', partOf(account, renewal.id))
  const recorded = new Set(known?.renewals?.map((renewal) => renewal.id))
  const open = (account.renewals ?? []).filter(
    (renewal) =>
      // Only in its own organisation it has its own id.
      !(known?.id === account.id && recorded.has(renewal.id)) && !recorded.has(renewalId(renewal)),
  )
  const noteOf = ({ note, user_id }: Renewal) => {
    const text = signed(note ?? '', user_id)
    // The author's name can make it longer than a note may be.
    return text.length > MOST_CHARACTERS ? note : text
  }
  const outcomeOf = (renewal: Renewal | undefined) =>
    renewal && {
      renewal_outcome: {
        id: renewalId(renewal),
        due: renewal.due,
        outcome: renewal.outcome,
        amount: renewal.amount,
        next_date: renewal.next_date,
        note: noteOf(renewal) || null,
        recorded_at: instant(renewal.recorded_at),
      },
    }
  const create = (first: Renewal | undefined): RestoreCall => {
    const { name, website, industry, tier, status, health, arr, renewal_date, notes, tags } =
      account
    return {
      call: 'createAccount',
      input: {
        body: filled({
          id,
          name,
          website: website?.trim() && websiteAddress(website),
          industry,
          tier,
          status,
          health,
          arr,
          renewal_date,
          notes,
          tags,
          currency: first?.currency ?? account.currency,
          owner_id: memberOf(account.owner_id),
          contacts: account.contacts.map((contact) => ({
            ...contact,
            id: idOf('contacts', partOf(account, contact.id)),
            name: contact.name.trim() || contact.email || contact.phone,
          })),
          ...outcomeOf(first),
        }),
      },
    }
  }
  const [first, ...others] = known ? [undefined, ...open] : open
  // An outcome is in the currency that the account has at that time.
  let currency = known?.currency ?? first?.currency ?? account.currency
  const change = (next: string): { currency?: string } => {
    if (next === currency) return {}
    currency = next
    return { currency }
  }
  const edit = (body: object): RestoreCall => ({
    call: 'updateAccount',
    input: { path: { id }, body },
  })
  const edits = others.flatMap((renewal) =>
    renewal
      ? [edit({ ...change(renewal.currency ?? account.currency), ...outcomeOf(renewal) })]
      : [],
  )
  // An import that was interrupted has left it in the currency of the last outcome.
  const toRecord = new Set(open)
  const saved = account.renewals?.findLast((renewal) => !toRecord.has(renewal))
  const isUnfinished =
    known &&
    (isUnsent('accounts', known.id) || open.length > 0) &&
    known.currency === (saved?.currency ?? account.currency)
  const restored = change(!known || isUnfinished ? account.currency : known.currency)
  return [
    ...(known ? [] : [create(first)]),
    ...edits,
    ...(restored.currency === undefined ? [] : [edit(restored)]),
  ]
}

/** An id of a part of the account, which a UUID needs nothing for. */
const partOf = (account: Account, id: string): string => (isUuid(id) ? id : `${account.id} ${id}`)
