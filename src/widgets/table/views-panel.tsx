import { Check, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { MAX_SAVED_VIEWS, MAX_VIEW_SEARCH } from '../../../contract/schemas/settings.ts'
import { LIST_ADDRESSES, readStored, storedSearch, type ListName } from './view-lists.ts'
import { useCapability } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { deleteView, renameView, saveView, useSavedViews, type SavedView } from './saved-views.ts'
import { tableMessages as messages } from './messages.ts'

export interface ViewsPanelProps {
  list: ListName
  /** The search parameters of what is shown now, without `?`; empty without filters, order, groups and columns. */
  search: string
}

/** The saved views of a list, and a form that saves what is shown now. */
export function ViewsPanel({ list, search }: ViewsPanelProps) {
  const all = useSavedViews()
  const views = all?.filter((view) => readStored(view.search).list === list)
  const isShared = useCapability('views')
  const [name, setName] = useState('')
  return (
    <div className="grid gap-4">
      {views?.length === 0 && (
        <p className="text-ink-muted">{isShared ? messages.noViews : messages.noViewsHere}</p>
      )}
      {views && views.length > 0 && (
        <ul aria-label={messages.views} className="-mx-2">
          {views.map((view) => (
            <View key={view.id} view={view} list={list} shown={search} />
          ))}
        </ul>
      )}
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === '') return
          setName('')
          saveView(name.trim(), storedSearch(list, search)).catch(() => {
            setName(name)
            toast(messages.notStored)
          })
        }}
      >
        <div className="min-w-0 grow">
          <TextField
            label={messages.name}
            value={name}
            autoComplete="off"
            maxLength={80}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <Button type="submit" className="min-h-10" unavailable={whyNotSaved(list, search, all)}>
          {messages.save}
        </Button>
      </form>
    </div>
  )
}

/** Why what is shown cannot be saved as one more view; undefined when it can. */
function whyNotSaved(
  list: ListName,
  search: string,
  all: readonly SavedView[] = [],
): string | undefined {
  if (search === '') return messages.nothingToSave
  if (all.length >= MAX_SAVED_VIEWS) return messages.tooManyViews(MAX_SAVED_VIEWS)
  return storedSearch(list, search).length > MAX_VIEW_SEARCH ? messages.tooMuchToSave : undefined
}

/** The same in each render: another one would take the focus from where the user is typing by then. */
const focusField = (field: HTMLInputElement | null) => field?.focus()

interface ViewProps {
  view: SavedView
  list: ListName
  /** The search parameters of what is shown now. */
  shown: string
}

/** One view: a link that shows it, and its own controls. */
function View({ view, list, shown }: ViewProps) {
  const { name } = view
  const { search } = readStored(view.search)
  const [typed, setTyped] = useState<string>()

  async function remove() {
    const fail = () => toast(messages.notStored)
    try {
      const restore = await deleteView(view)
      const onSelect = () =>
        void restore().then((isRestored) => isRestored || toast(messages.undoTooLate), fail)
      toast(messages.removed(name), { label: messages.undo, onSelect })
    } catch {
      fail()
    }
  }

  if (typed !== undefined)
    return (
      <li>
        <form
          className="flex items-center gap-1 px-2 py-1"
          onSubmit={(event) => {
            event.preventDefault()
            setTyped(undefined)
            if (typed.trim() === '') return
            renameView(view, typed.trim()).catch(() => {
              setTyped(typed)
              toast(messages.notStored)
            })
          }}
        >
          <div className="min-w-0 grow">
            <TextField
              label={messages.rename(name)}
              labelHidden
              value={typed}
              autoComplete="off"
              maxLength={80}
              ref={focusField}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
          <Button type="submit" icon variant="quiet" aria-label={messages.saveName}>
            <Check aria-hidden />
          </Button>
        </form>
      </li>
    )
  return (
    <li className="flex items-center">
      <Link
        to={LIST_ADDRESSES[list] + search}
        replace
        aria-current={search === shown ? 'page' : undefined}
        className="flex min-h-9 min-w-0 grow items-center rounded-md px-2 font-semibold hover:bg-sunken aria-[current]:bg-accent-soft coarse:min-h-11"
      >
        <span className="truncate">{name}</span>
      </Link>
      <Button
        icon
        variant="quiet"
        aria-label={messages.rename(name)}
        onClick={() => setTyped(name)}
      >
        <Pencil aria-hidden />
      </Button>
      <Button icon variant="quiet" aria-label={messages.remove(name)} onClick={() => void remove()}>
        <Trash2 aria-hidden />
      </Button>
    </li>
  )
}
