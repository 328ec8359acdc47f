-- +goose Up

-- What was mirrored so far was kept without the title by which editors find it in lists.
UPDATE items i SET title = left(coalesce(i.fields #>> ARRAY[
    coalesce((SELECT t.display_field FROM content_types t WHERE t.environment = i.environment AND t.id = i.content_type), 'title'),
    (SELECT l.code FROM locales l WHERE l.environment = i.environment AND l.is_default)], ''), 255)
WHERE i.title = '';

-- +goose Down
