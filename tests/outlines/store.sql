CREATE TABLE shop.rows (
  id int PRIMARY KEY,
  name text
);

CREATE INDEX rows_name ON rows (name);

CREATE VIEW old_rows AS SELECT * FROM rows;
