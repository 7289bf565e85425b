const express = require("express");
const app = express();

app.get("/users/:id", (request, response) => {
  response.json({ id: 1 });
});

module.exports = {
  app,
  port: 80,
};

function* ids() {
  yield 1;
}

describe("the app", () => {
  beforeEach(() => {
    reset();
  });

  it("answers", async () => {
    const answer = await get("/");
    expect(answer).toBe(1);
  });

  it.each([1, 2])("counts %d", (n) => {
    expect(n).toBe(n);
  });
});
