(ns shop.store
  (:require [clojure.string :as str]))

(def limit 10)

;; Writes all.
(defn flush
  "Writes."
  [store deep]
  (let [total 1]
    total))

(deftest opens
  (is (= 1 1)))
